(* SPDX-License-Identifier: MIT
   Velocity Verlet; wrong: the momentum between the steps is kept, though h may change. See docs/protocol.md. *)
let listen () = String.split_on_char ' ' (read_line ())
let numbers words = Array.of_list (List.map float_of_string words)

let say what x =
  print_string what;
  Array.iter (Printf.printf " %h") x;
  print_newline ()

let kick h q p =
  say "gradient" q;
  Array.map2 (fun p g -> p -. (h *. g)) p (numbers (List.tl (listen ())))

let step h m (q, p, between) =
  let p = match between with None -> kick (h /. 2.) q p | Some p -> kick h q p in
  let q = Array.mapi (fun i x -> x +. (h *. p.(i) /. m.(i))) q in
  (q, kick (h /. 2.) q p, Some p)

let rec steps count h m z = if count = 0 then z else steps (count - 1) h m (step h m z)

let rec serve m z =
  match listen () with
  | "livi" :: _ ->
      say "livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2 form=hex" [||];
      serve m z
  | "problem" :: _ :: _ :: _ :: masses ->
      say "ok" [||];
      serve (numbers masses) z
  | "start" :: _ :: x ->
      let x = numbers x and n = Array.length m in
      say "ok" [||];
      serve m (Array.sub x 0 n, Array.sub x n n, None)
  | [ "step"; h; count ] ->
      let ((q, p, _) as z) = steps (int_of_string count) (float_of_string h) m z in
      say "state" (Array.append q p);
      serve m z
  | [ "bye" ] -> ()
  | _ -> say "unsupported" [||]; serve m z
let () = serve [||] ([||], [||], None)
