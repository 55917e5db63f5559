/// A decoder of the value of one AD structure.
protocol AdvertisementFormat {
    /// Takes what `value`, the whole structure without length and type, says. Called when the table says that it is
    /// of this format, which says nothing of its length.
    static func read(_ value: Span<UInt8>, into findings: inout Findings)
}

/// Which structure is read by which decoder: a format is registered by one line here.
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

    /// By company and the byte after it.
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

    /// By service and the byte after it.
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
