package import BeaconModel

/// The dialogue by which a controller is had to scan; `exchange` sends a command and gives its return parameters.
package struct ScanCommands {
    package let adapter: Adapter
    /// `nil` until the controller was asked what it can do.
    package private(set) var mode: ScanMode?

    package init(_ adapter: Adapter) { self.adapter = adapter }

    package typealias Exchange = (HCICommand) throws(ScannerError) -> [UInt8]

    /// Scans anew, whatever was before.
    package mutating func start(_ exchange: Exchange) throws(ScannerError) -> ScanMode {
        let mode = if let known = self.mode { known } else { try findMode(exchange) }
        self.mode = mode
        // Parameters can't be set while somebody scans. Refused when nobody does.
        _ = try status(of: mode.disable, exchange)
        try enable(mode, exchange)
        return mode
    }

    /// Scans, and leaves the parameters of somebody else's scan as they are.
    package func join(_ exchange: Exchange) throws(ScannerError) {
        if let mode { try enable(mode, exchange) }
    }

    /// Has the controller confirm that it scans, which changes nothing when it does.
    package func confirm(_ exchange: Exchange) throws(ScannerError) {
        guard let mode else { return }
        try require(mode.enable, exchange)
    }

    package func stop(_ exchange: Exchange) throws(ScannerError) {
        guard let mode else { return }
        let status = try status(of: mode.disable, exchange)
        // Somebody else may have switched it off before.
        guard status == 0 || status == HCIStatus.commandDisallowed else {
            throw .refused(adapter, command: mode.disable.name, status: status)
        }
    }

    private func enable(_ mode: ScanMode, _ exchange: Exchange) throws(ScannerError) {
        let status = try status(of: mode.parameters, exchange)
        // Another program's discovery keeps its own parameters; enabling still ends its duplicate filter.
        guard status == 0 || status == HCIStatus.commandDisallowed else {
            throw .refused(adapter, command: mode.parameters.name, status: status)
        }
        try require(mode.enable, exchange)
    }

    private func require(_ command: HCICommand, _ exchange: Exchange) throws(ScannerError) {
        let status = try status(of: command, exchange)
        guard status == 0 else { throw .refused(adapter, command: command.name, status: status) }
    }

    private func status(of command: HCICommand, _ exchange: Exchange) throws(ScannerError) -> UInt8 {
        try exchange(command).first ?? HCIStatus.unspecifiedError
    }

    /// Extended where the controller has both commands of extended scanning
    /// (Bluetooth Core Specification 5.4, Vol 4, Part E, 6.27: octet 37, bits 5 and 6).
    private func findMode(_ exchange: Exchange) throws(ScannerError) -> ScanMode {
        let answer = try exchange(.readLocalSupportedCommands)
        return answer.count > 38 && answer[0] == 0 && answer[1 + 37] & 0x60 == 0x60 ? .extended : .legacy
    }
}

/// Which scan commands the controller took.
public enum ScanMode: String, Sendable {
    case legacy, extended
}
