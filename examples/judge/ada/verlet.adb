--  SPDX-License-Identifier: MIT
--  Velocity Verlet: gnatmake -O2 verlet.adb; livi-judge -- ./verlet (the protocol: docs/protocol.md).
with Ada.Integer_Text_IO, Ada.Long_Float_Text_IO, Ada.Text_IO;
use Ada.Integer_Text_IO, Ada.Long_Float_Text_IO, Ada.Text_IO;
procedure Verlet is
   Z, G, M : array (1 .. 128) of Long_Float; --  Z: positions, momenta
   N, Count : Natural := 0;
   H : Long_Float;
   Word : String (1 .. 22);
   procedure Say (What : String; Last : Natural := 0) is
   begin
      Put (What);
      for I in 1 .. Last loop Put (' '); Put (Z (I), Fore => 1, Aft => 16, Exp => 4); end loop;
      New_Line;
   end Say;
   procedure Kick (H : Long_Float) is
   begin
      Say ("gradient", N);
      Get (Word (1 .. 8)); --  "gradient"
      for I in 1 .. N loop Get (G (I)); Z (N + I) := Z (N + I) - H * G (I); end loop;
   end Kick;
begin
   loop
      Get (Word (1 .. 3)); --  three letters tell the requests apart
      exit when Word (1 .. 3) = "bye";
      if Word (1 .. 3) = "liv" then Say ("livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2");
      elsif Word (1 .. 3) = "pro" then Get (Word (1 .. 22)); Get (N); --  "blem double mechanical"
         for I in 1 .. N loop Get (M (I)); end loop; Say ("ok");
      elsif Word (1 .. 3) = "sta" then Get (Word (1 .. 2)); Get (H); --  the time
         for I in 1 .. 2 * N loop Get (Z (I)); end loop; Say ("ok");
      elsif Word (1 .. 3) = "ste" then Get (Word (1 .. 1)); Get (H); Get (Count);
         for Step in 1 .. Count loop Kick (H / 2.0);
            for I in 1 .. N loop Z (I) := Z (I) + H * Z (N + I) / M (I); end loop; Kick (H / 2.0);
         end loop; Say ("state", 2 * N);
      else Say ("unsupported"); end if;
      Skip_Line;
   end loop;
end Verlet;
