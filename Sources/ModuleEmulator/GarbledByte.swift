/// Returns the byte that a UART receives at a wrong rate.
///
/// Real garbage depends on both rates and on the pauses. This result is deterministic and never ASCII, so it cannot be
/// mistaken for a key or a reply.
func garbled(_ byte: UInt8) -> UInt8 { byte ^ 0x5A | 0x80 }
