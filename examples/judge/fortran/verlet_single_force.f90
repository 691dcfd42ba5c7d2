! SPDX-License-Identifier: MIT
! Velocity Verlet; wrong: the forces are kept in single precision. See docs/protocol.md.
program verlet
  implicit none
  integer :: n = 0, k, count, status
  character(len=4096) :: line, word(3)
  double precision :: t, h, q(64), p(64), m(64)
  do
    read (*, '(a)', iostat=status) line
    if (status /= 0 .or. line == 'bye') exit
    if (line(1:4) == 'livi') then
      call say('livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=2', q(:0))
    else if (line(1:7) == 'problem') then
      read (line, *) word, n, m(:n); call say('ok', q(:0))
    else if (line(1:5) == 'start') then
      read (line, *) word(1), t, q(:n), p(:n); call say('ok', q(:0))
    else if (line(1:4) == 'step') then
      read (line, *) word(1), h, count
      do k = 1, count
        call kick(h / 2)
        q(:n) = q(:n) + h * p(:n) / m(:n); call kick(h / 2)
      end do
      call say('state', [q(:n), p(:n)])
    else
      call say('unsupported', q(:0))
    end if
  end do
contains
  subroutine say(what, x)
    character(len=*), intent(in) :: what; double precision, intent(in) :: x(:)
    write (*, '(a, *(es26.16e3))') what, x
    flush (6)
  end subroutine
  subroutine kick(h)
    double precision :: h; real :: g(n)
    call say('gradient', q(:n))
    read (*, *) word(1), g
    p(:n) = p(:n) - h * g
  end subroutine
end program
