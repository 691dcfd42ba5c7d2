// SPDX-License-Identifier: MIT
//
// XYZ of water clusters: what is read, what is refused with line and reason, and that what was written reads back
// unchanged.
#include <gtest/gtest.h>
#include <livi/report/xyz.hpp>
#include <livi/scalar/errors.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "verification/support/fixed_seed.hpp"

namespace xyz_test {

using livi::Dynamic;
using livi::parse_xyz;
using livi::Vector;
using livi::WaterFrame;
using livi::write_xyz;

using V = Vector<double, Dynamic>;

const std::string molecule = "O 0 0 0\nH 1 0 0\nH 0 1 0\n";

std::string refusal_of(const std::string& text) {
  try {
    parse_xyz(text, "x");
  } catch (const livi::ReportError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Xyz, plain_files_are_read) {
  const auto frames =
      parse_xyz("3\n\n" + molecule + "3\r\nany words at all\r\n  O\t0.5 -1e-3 2.\r\nH 1 0 0\nH 0 1 0\n\n", "x");
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].molecules(), 1);
  EXPECT_EQ(frames[0].v.size(), 0);
  EXPECT_EQ(frames[1].q(0), 0.5);
  EXPECT_EQ(frames[1].q(1), -1e-3);
  EXPECT_TRUE(frames[1].remarks.empty());
}

TEST(Xyz, comments_of_any_form_are_read) {
  for (const char* comment :
       {"=", "=value", "a==b", "words = of a sentence", "= =", "a=", "  =\t= time=2", "\"", "=\"open"})
    EXPECT_EQ(parse_xyz("3\n" + std::string(comment) + "\n" + molecule, "x").size(), 1U) << comment;
  using Remarks = decltype(WaterFrame::remarks);
  EXPECT_EQ(parse_xyz("3\n=lost kept=1 a==b = last=\n" + molecule, "x")[0].remarks,
            (Remarks{{"kept", "1"}, {"a", "=b"}, {"last", ""}}));
}

TEST(Xyz, atoms_of_a_molecule_may_come_in_any_order) {
  const V expected = parse_xyz("3\n\n" + molecule, "x")[0].q;
  EXPECT_EQ(parse_xyz("3\n\nH 1 0 0\nO 0 0 0\nH 0 1 0\n", "x")[0].q, expected);
  EXPECT_EQ(parse_xyz("3\n\nH 1 0 0\nH 0 1 0\nO 0 0 0\n", "x")[0].q, expected);
  const auto two = parse_xyz("6\n\nH 1 0 0\nH 0 1 0\nO 0 0 0\nH 4 0 0\nO 3 0 0\nH 3 1 0", "x")[0].q;
  EXPECT_EQ(two(9), 3);
  EXPECT_EQ(two(12), 4);
}

TEST(Xyz, velocities_go_with_the_positions_of_their_atoms) {
  // The velocity of each atom is its position plus ten, so that an exchange of either shows.
  const std::string comment = "\nProperties=species:S:1:pos:R:3:velo:R:3\n";
  const std::string oxygen = "O 1 2 3 11 12 13\n", first = "H 4 5 6 14 15 16\n", second = "H 7 8 9 17 18 19\n";
  const std::string another = "H 21 22 23 31 32 33\nH 24 25 26 34 35 36\nO 27 28 29 37 38 39\n";
  for (const std::string& molecule_in_order :
       {oxygen + first + second, first + oxygen + second, first + second + oxygen}) {
    const auto frame = parse_xyz("6" + comment + molecule_in_order + another, "x")[0];
    EXPECT_EQ(frame.q.head(9), V::LinSpaced(9, 1, 9)) << molecule_in_order;
    EXPECT_EQ(frame.q(9), 27) << "the oxygen of the second molecule";
    EXPECT_EQ(frame.q(12), 21);
    EXPECT_EQ(frame.v, frame.q + V::Constant(18, 10)) << molecule_in_order;
  }
}

TEST(Xyz, columns_are_those_of_properties) {
  const auto frame = parse_xyz(
      "3\nProperties=id:I:1:velo:R:3:species:S:1:pos:R:3 time=0.5 title=\"two words\" pbc\n"
      "1 7 8 9 O 0 0 0\n2 4 5 6 H 1 0 0\n3 1 2 3 H 0 1 0",
      "x")[0];
  EXPECT_EQ(frame.v(0), 7);
  EXPECT_EQ(frame.v(8), 3);
  EXPECT_EQ(frame.q(3), 1);
  EXPECT_EQ(frame.remark("time"), "0.5");
  EXPECT_EQ(frame.remark("title"), "two words");
  EXPECT_THROW(static_cast<void>(frame.remark("energy")), livi::ReportError);
}

TEST(Xyz, refuses_with_line_and_reason) {
  const std::pair<std::string, std::string> cases[]{
      {"", "x:1: no frame"},
      {"\n", "x:1: no frame"},
      {"three\n\n" + molecule, "x:1: number of atoms = 'three': must be 3, 6, 9, ..."},
      {"3 4\n\n" + molecule, "x:1: number of atoms = '3 4': must be 3, 6, 9, ..."},
      {"-3\n\n" + molecule, "x:1: number of atoms = '-3': must be 3, 6, 9, ..."},
      {"0\n\n", "x:1: number of atoms = '0': must be 3, 6, 9, ..."},
      {"4\n\n" + molecule, "x:1: number of atoms = '4': must be 3, 6, 9, ..."},
      {"3000000000000\n\n" + molecule, "x:1: number of atoms = '3000000000000': must be 3, 6, 9, ..."},
      {"99999999999999999999999\n\n" + molecule,
       "x:1: number of atoms = '99999999999999999999999': must be 3, 6, 9, ..."},
      {"3", "x:1: the text ends before the comment line"},
      {"3\n\nO 0 0 0\nH 1 0 0\n", "x:4: the text ends after 2 of 3 atoms"},
      {"6\n\n" + molecule, "x:5: the text ends after 3 of 6 atoms"},
      {"3\n\nO 0 0 0\nH 1 0\nH 0 1 0\n", "x:4: 3 columns, expected 4"},
      {"3\n\nO 0 0 0\n\nH 0 1 0\n", "x:4: 0 columns, expected 4"},
      {"3\n\nO 0 0 0 0\nH 1 0 0\nH 0 1 0\n", "x:3: 5 columns, expected 4"},
      {"3\n\nO 0 0 0\nH 1x 0 0\nH 0 1 0\n", "x:4: '1x': must be a finite number"},
      {"3\n\nO 0 0 0\nH nan 0 0\nH 0 1 0\n", "x:4: 'nan': must be a finite number"},
      {"3\n\nO 0 0 0\nH 1 inf 0\nH 0 1 0\n", "x:4: 'inf': must be a finite number"},
      {"3\n\nO 0 0 1e999\nH 1 0 0\nH 0 1 0\n", "x:3: '1e999': must be a finite number"},
      {"3\n\nO 0 0 0\nC 1 0 0\nH 0 1 0\n", "x:4: element = 'C': must be O or H"},
      {"3\n\nOO 0 0 0\nH 1 0 0\nH 0 1 0\n", "x:3: element = 'OO': must be O or H"},
      {"3\n\nO 0 0 0\nO 1 0 0\nH 0 1 0\n", "x:4: element = 'O': each three atoms must be one O and two H"},
      {"3\n\nH 0 0 0\nH 1 0 0\nH 0 1 0\n", "x:5: element = 'H': each three atoms must be one O and two H"},
      {"3\n\n" + molecule + "\nand more\n", "x:7: text after a blank line"},
      {"3\n\n" + molecule + "and more\n", "x:6: number of atoms = 'and more': must be 3, 6, 9, ..."},
      {"3\nLattice=\"9 0 0 0 9 0 0 0 9\"\n" + molecule, "x:2: Lattice: clusters have no periodic box"},
      {"3\ntitle=\"open\n" + molecule, "x:2: the quotes of title are not closed"},
      {"3\nProperties=species:S:1\n" + molecule, "x:2: Properties = 'species:S:1': must name species:S:1 and pos:R:3"},
      {"3\nProperties=species:S:1:pos:R\n" + molecule,
       "x:2: Properties = 'species:S:1:pos:R': must be name:type:columns, separated by colons"},
      {"3\nProperties=species:S:1:pos:R:0\n" + molecule,
       "x:2: Properties = 'species:S:1:pos:R:0': must be name:type:columns, separated by colons"},
      {"3\nProperties=species:S:1:pos:R:2\n" + molecule, "x:2: Properties: pos must be there once, as pos:R:3"},
      {"3\nProperties=species:S:1:pos:R:3:pos:R:3\n" + molecule, "x:2: Properties: pos must be there once, as pos:R:3"},
      {"3\nProperties=species:S:1:pos:R:3:\n" + molecule,
       "x:2: Properties = 'species:S:1:pos:R:3:': must be name:type:columns, separated by colons"},
      {"3\nProperties=species:S:1:pos:R:3 Properties=pos:R:3:species:S:1\n" + molecule,
       "x:2: Properties: must be there once"},
      {std::string("3\n\nO 0 0 0\nH 1 0 \0\nH 0 1 0\n", 27), "x:4: '"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal_of(text).substr(0, message.size()), message) << text;
  EXPECT_THROW(livi::read_xyz("/nowhere/at all.xyz"), livi::ReportError);
  EXPECT_THROW(livi::read_xyz("/"), livi::ReportError);
  // Opens, but the address 0 cannot be read: an error of the system in the middle of reading.
  EXPECT_THROW(livi::read_xyz("/proc/self/mem"), livi::ReportError);
}

/// No text that begins like a file makes the parser crash or read beyond it.
RC_GTEST_PROP(XyzProperties, damaged_texts_are_read_or_refused, ()) {
  std::string text = write_xyz({.q = V::LinSpaced(18, -1, 1), .v = V::LinSpaced(18, 0, 1), .remarks = {{"a", "b c"}}});
  for (int k = *rc::gen::inRange(1, 4); k > 0; --k) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        text[at] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        text.erase(at, *rc::gen::inRange<std::size_t>(1, 40));
        break;
      default:
        text = text.substr(0, at) + "\n" + text;
    }
    if (text.empty()) break;
  }
  try {
    for (const WaterFrame& frame : parse_xyz(text, "x")) {
      RC_ASSERT(frame.q.size() % 9 == 0);
      RC_ASSERT(frame.v.size() == 0 || frame.v.size() == frame.q.size());
    }
  } catch (const livi::ReportError& error) {
    RC_ASSERT(std::string(error.what()).starts_with("x:"));
  }
}

/// Every finite double comes back as it was.
RC_GTEST_PROP(XyzProperties, what_was_written_reads_back_unchanged, (bool velocities)) {
  const auto molecules = *rc::gen::inRange<Eigen::Index>(1, 5);
  const auto number = [] {
    double x = 0;
    do {
      const auto bits = *rc::gen::arbitrary<std::uint64_t>();
      std::memcpy(&x, &bits, sizeof x);
    } while (!std::isfinite(x));
    return x;
  };
  WaterFrame frame{.q = V(9 * molecules)};
  for (double& x : frame.q) x = number();
  if (velocities) {
    frame.v = V(9 * molecules);
    for (double& x : frame.v) x = number();
  }
  frame.remarks = {{"time", "0.05"}, {"found", "by a search"}, {"empty", ""}};
  const std::string text = write_xyz(frame);
  const auto frames = parse_xyz(text + text, "x");
  RC_ASSERT(frames.size() == 2U);
  for (const WaterFrame& back : frames) {
    RC_ASSERT(back.q == frame.q);
    RC_ASSERT(back.v.size() == frame.v.size() && (back.v.size() == 0 || back.v == frame.v));
    RC_ASSERT(back.remarks == frame.remarks);
  }
}

TEST(Xyz, what_cannot_be_read_back_is_not_written) {
  const V one = V::Zero(9);
  EXPECT_THROW(write_xyz({.q = V::Zero(0)}), livi::InvalidParameter);
  EXPECT_THROW(write_xyz({.q = V::Zero(10)}), livi::InvalidParameter);
  EXPECT_THROW(write_xyz({.q = one, .v = V::Zero(18)}), livi::InvalidParameter);
  EXPECT_THROW(write_xyz({.q = V::Constant(9, std::nan(""))}), livi::InvalidParameter);
  EXPECT_THROW(write_xyz({.q = one, .v = V::Constant(9, std::numeric_limits<double>::infinity())}),
               livi::InvalidParameter);
  for (const char* key : {"", "a b", "a=b", "Properties", "Lattice", "a\"", "a\n"})
    EXPECT_THROW(write_xyz({.q = one, .v = {}, .remarks = {{key, "1"}}}), livi::InvalidParameter) << key;
  for (const char* value : {"a\"b", "a\nb"})
    EXPECT_THROW(write_xyz({.q = one, .v = {}, .remarks = {{"key", value}}}), livi::InvalidParameter) << value;
}

}  // namespace xyz_test
