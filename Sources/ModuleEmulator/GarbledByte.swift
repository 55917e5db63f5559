/// What a UART makes of a byte at a wrong rate.
///
/// Real garbage depends on both rates and on the pauses. This one is always the same and never ASCII, so that it
/// can't be a key or a reply by accident.
func garbled(_ byte: UInt8) -> UInt8 { byte ^ 0x5A | 0x80 }
