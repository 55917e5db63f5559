/// A decoder of the value of one AD structure.
protocol AdvertisementFormat {
    /// Reads `value`, the structure without length and type. Called when the table assigns the structure to this
    /// format; the length has not been checked.
    static func read(_ value: Span<UInt8>, into findings: inout Findings)
}

/// The table of decoders by structure. A format is registered here with one line.
enum Formats {
    @inline(__always)
    static func read(_ type: UInt8, _ value: Span<UInt8>, into findings: inout Findings) {
        switch type {
        case ADType.flags: break
        case ADType.manufacturerSpecificData: manufacturerData(value, into: &findings)
        case ADType.serviceData16Bit: serviceData(value, into: &findings)
        case ADType.incompleteList16Bit, ADType.completeList16Bit: ServiceList16.read(value, into: &findings)
        case ADType.incompleteList128Bit, ADType.completeList128Bit: ServiceList128.read(value, into: &findings)
        case ADType.shortenedLocalName, ADType.completeLocalName: LocalName.read(value, into: &findings)
        case ADType.serviceData128Bit: ServiceData128.read(value, into: &findings)
        case ADType.serviceData32Bit: if value.count < 4 { findings.note(.truncatedServiceData) }
        default: break
        }
    }

    /// Selects a decoder by company and the byte after it.
    @inline(__always)
    private static func manufacturerData(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count >= 2 else { return findings.note(.truncatedManufacturerData) }
        let company = value.littleEndian(UInt16.self, at: 0)
        switch (company, value.count > 2 ? value[2] : 0) {
        case (CompanyID.apple, 0x02): IBeacon.read(value, into: &findings)
        case (CompanyID.apple, 0x01): AppleOverflowFormat.read(value, into: &findings)
        case (_, 0xBE): AltBeaconFormat.read(value, into: &findings)
        case (CompanyID.apple, _): AppleDeviceFormat.read(value, into: &findings)
        default: findings.company = findings.company ?? .init(company)
        }
    }

    /// Selects a decoder by service and the byte after it.
    @inline(__always)
    private static func serviceData(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count >= 2 else { return findings.note(.truncatedServiceData) }
        switch (value.littleEndian(UInt16.self, at: 0), value.count > 2 ? value[2] : 0xFF) {
        case (ServiceID.exposureNotification, _): ExposureNotification.read(value, into: &findings)
        case (ServiceID.eddystone, 0x00): EddystoneUIDFormat.read(value, into: &findings)
        case (ServiceID.eddystone, 0x10): EddystoneURLFormat.read(value, into: &findings)
        case (ServiceID.eddystone, 0x20): EddystoneTLMFormat.read(value, into: &findings)
        case (ServiceID.eddystone, 0x30): EddystoneEIDFormat.read(value, into: &findings)
        case (ServiceID.eddystone, _): if value.count == 2 { findings.note(.wrongEddystoneLength) }
        case (ServiceID.herald, _): HeraldFormat.read(value, into: &findings)
        default: break
        }
    }
}
