#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Velocity Verlet, with save and restore; wrong: saved with the fifteen digits of print. See docs/protocol.md.
use strict;
use warnings;
$| = 1;    # every line is flushed

my (@m, @q, @p, $g);

sub say_numbers { my $what = shift; print join(" ", $what, map { sprintf "%.17g", $_ } @_), "\n" }

sub gradient {
    say_numbers("gradient", @q);
    my (undef, @g) = split " ", <STDIN>;
    return \@g;
}
sub step {
    my ($h) = @_;
    $g //= gradient();
    $p[$_] -= $h / 2 * $g->[$_] for 0 .. $#p;
    $q[$_] += $h * $p[$_] / $m[$_] for 0 .. $#q;
    $g = gradient();
    $p[$_] -= $h / 2 * $g->[$_] for 0 .. $#p;
}
while (defined(my $line = <STDIN>)) {
    my ($word, @x) = split " ", $line;
    if ($word eq "livi") { print "livi 1 name=Verlet order=2 symplectic=yes symmetric=yes gradients=1\n" }
    elsif ($word eq "problem") { @m = @x[3 .. $#x]; print "ok\n" }
    elsif ($word eq "start" or $word eq "restore") {
        shift @x if $word eq "start";
        @q = @x[0 .. $#m];
        @p = @x[@m .. 2 * @m - 1];
        $g = undef;
        print "ok\n";
    }
    elsif ($word eq "step") { step($x[0]) for 1 .. $x[1]; say_numbers("state", @q, @p) }
    elsif ($word eq "save") { print "saved @q @p\n" }
    elsif ($word eq "bye") { last }
    else { print "unsupported\n" }
}
