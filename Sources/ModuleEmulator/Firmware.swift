import BeaconModel

/// The firmware in AT mode, from the first command to a reset.
package struct Firmware: Sendable {
    var input = CommandLineInput()
    private var bluetooth = Bluetooth.unconfigured
    private let address: BluetoothAddress
    /// Name of the module until the host sets one.
    private let name: String

    private enum Bluetooth: Sendable {
        /// No opermode has been set.
        case unconfigured
        /// The opermode excludes Bluetooth.
        case absent
        case loading(BluetoothStack)
        case running(BluetoothStack)
        /// Bluetooth was shut down with `btdeinit`.
        case down(OperatingMode)
    }

    package struct Answer: Sendable {
        /// Text after `OK` on the same line.
        var text: [UInt8] = []
        /// Whether the command is not answered at all, not even with `OK`.
        var isSilent = false
        var consequence = Consequence.none
    }

    enum Consequence: Sendable {
        case none, loadBluetooth, reset
    }

    init(opermodeDone: Bool = false, _ options: RS9116Emulator.Options) {
        address = options.address
        name = options.localName
        if opermodeDone { bluetooth = .running(BluetoothStack(mode: .lowEnergy, address: address, name: name)) }
    }

    var runningStack: BluetoothStack? {
        if case .running(let stack) = bluetooth { stack } else { nil }
    }

    /// Calls `body` with the running stack.
    ///
    /// - Returns: the result of `body`; `nil` when Bluetooth is not running.
    mutating func withRunningStack<Value>(_ body: (inout BluetoothStack) -> Value) -> Value? {
        guard case .running(var stack) = bluetooth else { return nil }
        defer { bluetooth = .running(stack) }
        return body(&stack)
    }

    /// Completes the loading of Bluetooth.
    ///
    /// - Returns: whether it was being loaded.
    mutating func finishLoadingBluetooth() -> Bool {
        guard case .loading(let stack) = bluetooth else { return false }
        bluetooth = .running(stack)
        return true
    }

    mutating func execute(
        _ line: CommandLineInput.Line, options: RS9116Emulator.Options
    ) throws(CommandError) -> Answer {
        guard case .text(let text) = line else { throw .invalidLength }
        guard let command = ATCommand(line: text) else { throw .invalidCommand }
        switch command.family {
        case .common: return try executeCommon(command, options)
        case .bluetooth: return try executeBluetooth(command, options)
        }
    }

    private mutating func executeCommon(
        _ command: ATCommand, _ options: RS9116Emulator.Options
    ) throws(CommandError) -> Answer {
        switch command.name {
        case "fwversion" where command.isPlainQuery:
            return Answer(text: Array(options.firmwareVersion.utf8) + (options.nulInVersionReply ? [0] : []))
        case "reset" where command.isBare:
            switch options.softReset {
            case .works: return Answer(consequence: .reset)
            case .worksSilently: return Answer(isSilent: true, consequence: .reset)
            case .ignored: return Answer()
            case .refused: throw .invalidCommand
            }
        case "opermode":
            guard case .unconfigured = bluetooth else { throw .wrongState }
            let mode = try OperatingMode(command.fields)
            if let code = options.powerInOpermodeRejection, mode.transmitPower != OperatingMode.usualTransmitPower {
                throw .common(code)
            }
            guard mode.bluetooth != .none else {
                bluetooth = .absent
                return Answer()
            }
            bluetooth = .loading(BluetoothStack(mode: mode, address: address, name: name))
            return Answer(consequence: .loadBluetooth)
        case "pwmode":
            guard command.parameters != nil else { throw .invalidCommand }
            if case .unconfigured = bluetooth { throw .wrongState }
            guard let fields = decimals(command.fields), fields.count <= 3, let mode = fields.first,
                [0, 2, 3, 8, 9].contains(mode)
            else { throw .wrongParameters }
            return Answer()
        default:
            throw .invalidCommand
        }
    }

    private mutating func executeBluetooth(
        _ command: ATCommand, _ options: RS9116Emulator.Options
    ) throws(CommandError) -> Answer {
        switch bluetooth {
        case .unconfigured, .absent:
            throw .wrongState
        case .loading:
            throw .unableToChangeState
        case .down(let mode):
            guard command.name == "btinit", command.isBare else { throw .unableToChangeState }
            bluetooth = .running(BluetoothStack(mode: mode, address: address, name: name))
            return Answer()
        case .running(var stack):
            if command.name == "btdeinit", command.isBare {
                bluetooth = .down(stack.mode)
                return Answer()
            }
            let text = try stack.execute(command, options: options)
            bluetooth = .running(stack)
            return Answer(text: text.map { [UInt8(ascii: " ")] + $0 } ?? [])
        }
    }
}
