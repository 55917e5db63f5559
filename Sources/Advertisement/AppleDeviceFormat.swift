import BeaconModel

/// Apple's Continuity messages: company identifier, then type, length and value of each message. The messages are
/// undocumented (Martin et al., "Handoff All Your Privacy", PoPETs 2019, section 3). Only the type of the first one is
/// read.
enum AppleDeviceFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count >= 3 else {
            findings.company = findings.company ?? .apple
            return
        }
        findings.take(.appleDevice(type: value[2]), .appleDevice)
    }
}
