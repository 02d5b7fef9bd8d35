//! Draws simulations from their own buffers.
