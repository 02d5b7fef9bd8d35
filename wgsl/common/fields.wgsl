// The field of distances being computed.
//!include common/control
//!include shared/distance_field

//!read distance_field
//!write distances
