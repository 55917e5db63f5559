package import BeaconModel

/// The command sequence that makes a controller scan. `exchange` sends a command and returns its return parameters.
package struct ScanCommands {
    package let adapter: Adapter
    /// The scan commands in use; `nil` until the controller has been asked for its capabilities.
    package private(set) var mode: ScanMode?

    package init(_ adapter: Adapter) { self.adapter = adapter }

    package typealias Exchange = (HCICommand) throws(ScannerError) -> [UInt8]

    /// Starts a new scan, whatever state the controller is in.
    package mutating func start(_ exchange: Exchange) throws(ScannerError) -> ScanMode {
        let mode = if let known = self.mode { known } else { try findMode(exchange) }
        self.mode = mode
        // Parameters cannot be set during a scan. The command is refused when no scan is running.
        _ = try status(of: mode.disable, exchange)
        try enable(mode, exchange)
        return mode
    }

    /// Starts scanning, but keeps the parameters of another program's scan.
    package func join(_ exchange: Exchange) throws(ScannerError) {
        if let mode { try enable(mode, exchange) }
    }

    /// Makes the controller confirm that it scans. Has no effect on a running scan.
    package func confirm(_ exchange: Exchange) throws(ScannerError) {
        guard let mode else { return }
        try require(mode.enable, exchange)
    }

    package func stop(_ exchange: Exchange) throws(ScannerError) {
        guard let mode else { return }
        let status = try status(of: mode.disable, exchange)
        // Another program may already have stopped the scan.
        guard status == 0 || status == HCIStatus.commandDisallowed else {
            throw .refused(adapter, command: mode.disable.name, status: status)
        }
    }

    private func enable(_ mode: ScanMode, _ exchange: Exchange) throws(ScannerError) {
        let status = try status(of: mode.parameters, exchange)
        // Another program's discovery keeps its own parameters. Enabling still ends its duplicate filter.
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

    /// Returns the extended mode when the controller has both extended scanning commands (Bluetooth Core Specification
    /// 5.4, Vol 4, Part E, 6.27: octet 37, bits 5 and 6), and otherwise the legacy mode.
    private func findMode(_ exchange: Exchange) throws(ScannerError) -> ScanMode {
        let answer = try exchange(.readLocalSupportedCommands)
        return answer.count > 38 && answer[0] == 0 && answer[1 + 37] & 0x60 == 0x60 ? .extended : .legacy
    }
}

/// The set of scan commands in use.
public enum ScanMode: String, Sendable {
    /// The commands of Bluetooth 4.0, and the extended ones of Bluetooth 5.0.
    case legacy, extended
}
