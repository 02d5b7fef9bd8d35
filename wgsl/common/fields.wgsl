// The field of distances that is being made.
//!include common/control
//!include shared/distance_field

//!read distance_field
//!write distances
