// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/pages/findings.hpp"

/// \file
/// Tables of the strong orders that reports measured, for the pages.

namespace livi {

/// A method in a table of strong orders. What the report does not have is not a number.
struct StrongOrderRow {
  std::string method;
  std::vector<double> errors;  ///< root mean squares at the table's steps
  double widest;               ///< half of the widest 95 % interval of an error, relative to it
  double order, half_width;    ///< with half of its 95 % interval
  double derived;              ///< the order that is derived
  double falls_from;           ///< k of the step 2^-k from which on the error falls with the order
  double share,
      derived_share;  ///< the error at order one over that of another method, which strong_order_columns() names
};
/// The methods in one case, in the order of their derived and then of their measured orders.
struct StrongOrderTable {
  std::string experiment, title;
  std::vector<int> halvings;  ///< k of the steps 2^-k
  std::vector<StrongOrderRow> rows;
};

/// Returns the tables of the reports that name cases and methods by the parameters "strong_order.case.<case>" and
/// "strong_order.method.<method>". Their numbers are the measurements "<case>.<method>.rms_error.h=2^-k",
/// ".rms_error.half_width", ".order", ".order.half_width", ".order.derived", ".error_falls_from", ".share" and
/// ".share.derived".
std::vector<StrongOrderTable> strong_order_tables(const Findings& findings);

/// What the columns of these tables mean, a sentence or more for each: "last power", "order", "falls so
/// from", "share" and "95 %".
struct StrongOrderColumn {
  const char *name, *meaning;
};
const std::vector<StrongOrderColumn>& strong_order_columns();

/// Returns the cells of a row: the method, its errors, "95 %, at most", the power of the last two errors, order,
/// derived order, "falls so from", "share".
std::vector<std::string> strong_order_cells(const StrongOrderRow& row);
/// Returns their heads.
std::vector<std::string> strong_order_heads(const StrongOrderTable& table);

}  // namespace livi
