//! The `papamu` program.

fn main() {}
