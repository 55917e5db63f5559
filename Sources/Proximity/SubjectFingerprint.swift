import BeaconModel

extension Subject {
    /// Returns 64 bits that differ between subjects and are the same in every process with the same seed.
    ///
    /// The standard library's hash is not suitable, because its seed differs from run to run: equal captures must give
    /// equal records. The fingerprint uses folded 64-bit products (Wang Yi, "wyhash").
    func fingerprint(seed: UInt64) -> UInt64 {
        switch self {
        case .beacon(let beacon):
            mixed(beacon.uuid.bits, UInt64(beacon.major) << 16 | UInt64(beacon.minor), seed)
        case .exposureNotification(let identifier): mixed(identifier.bits, 1 << 32, seed)
        case .contactApp(let app, let address): mixed(UInt128(address.bits), 2 << 32 | app.number, seed)
        case .contactUser(let app, let code): mixed(UInt128(code), 3 << 32 | app.number, seed)
        }
    }

    var isBeacon: Bool {
        if case .beacon = self { true } else { false }
    }
}

extension ContactApp {
    fileprivate var number: UInt64 {
        switch self {
        case .bleProximity: 1
        case .further: 2
        case .c19x: 3
        case .herald: 4
        }
    }
}

private func mixed(_ bits: UInt128, _ rest: UInt64, _ seed: UInt64) -> UInt64 {
    let high = UInt64(truncatingIfNeeded: bits >> 64)
    let low = UInt64(truncatingIfNeeded: bits)
    let first = folded(high ^ seed ^ 0xA076_1D64_78BD_642F, low ^ 0xE703_7ED1_A0B4_28DB)
    return folded(first ^ seed ^ 0x8EBC_6AF0_9C88_C6E3, rest ^ first ^ 0x5899_65CC_7537_4CC3)
}

private func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
}
