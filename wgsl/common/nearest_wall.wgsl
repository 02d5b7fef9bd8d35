// The nearest wall of a point, of those within two cells.
//!include common/block_solids
//!include common/nearest_of
