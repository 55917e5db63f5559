import BeaconModel
import MQTTBridge
import UARTConfig

/// What is published on a module's `state` topic.
struct ModuleState: Sendable {
    enum State: String {
        case provisioning, advertising, failed
    }

    let info: GatewayInfo.Module
    private let payload: Payload

    init(
        _ module: InventoryEntry, state: State, applied: ProvisionedModule? = nil, error: (any Error)? = nil
    ) {
        let beacon = module.configuration.beacon
        let what = error?.inOneLine
        info = GatewayInfo.Module(
            name: module.name, port: module.module.description, beacon: beacon.description, state: state.rawValue,
            firmware: applied?.firmware, error: what)
        let desired = Payload.Beacon(
            uuid: beacon.uuid.description, major: beacon.major, minor: beacon.minor,
            measuredPower: module.configuration.measuredPower,
            intervalMs: Double(module.configuration.interval.units) * 0.625)
        payload = Payload(
            state: state.rawValue, port: module.module.description, desired: desired,
            applied: applied == nil ? nil : desired,
            // Nobody has compared what is on the air with what was asked for.
            heard: "unverified", address: applied?.address.description, firmware: applied?.firmware,
            advertisingType: applied.map { Int($0.advertisingType.rawValue) }, error: what,
            remedy: (error as? any OperatorError)?.remedy)
    }

    /// As published.
    var encoded: [UInt8] { JSON.encode(payload) }

    private struct Payload: Encodable {
        var state: String
        var port: String
        var desired: Beacon
        var applied: Beacon?
        var heard: String
        var address: String?
        var firmware: String?
        var advertisingType: Int?
        var error: String?
        var remedy: String?

        struct Beacon: Encodable {
            var uuid: String
            var major: UInt16
            var minor: UInt16
            var measuredPower: Int8
            var intervalMs: Double
        }
    }
}
