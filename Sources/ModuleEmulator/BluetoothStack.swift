import BeaconModel

/// The BLE part of the firmware after it is loaded (4.2 to 4.6).
struct BluetoothStack: Sendable {
    let mode: OperatingMode
    private let publicAddress: BluetoothAddress
    private var randomAddress: BluetoothAddress?
    private var name: [UInt8]
    /// Advertising data; `nil` for the default of the firmware.
    private var advertisingData: [UInt8]?
    private var advertising: AdvertisingParameters?
    private(set) var isScanning = false
    /// Whether the module stops transmitting while it scans.
    private var isSilencedByScan = false
    /// Address of the connected central.
    private var central: BluetoothAddress?

    init(mode: OperatingMode, address: BluetoothAddress, name: String) {
        self.mode = mode
        self.name = Array(name.utf8.prefix(16))
        publicAddress = address
    }

    var air: OnAir {
        guard let advertising, !(isScanning && isSilencedByScan) else { return .silent(address: publicAddress) }
        return OnAir(
            advertising: true, type: advertising.type, intervalUnits: advertising.intervalUnits,
            data: advertising.isDirected ? [] : advertisingData ?? defaultAdvertisingData,
            address: advertising.usesRandomAddress ? randomAddress ?? publicAddress : publicAddress,
            usesRandomAddress: advertising.usesRandomAddress)
    }

    /// Connects a central.
    ///
    /// - Returns: the module's address; `nil` when it is not connectable.
    mutating func connect(_ central: BluetoothAddress) -> BluetoothAddress? {
        guard self.central == nil, let advertising, advertising.type == 128 else { return nil }
        let address = air.address
        self.central = central
        self.advertising = nil
        return address
    }

    /// Ends the connection.
    ///
    /// - Returns: whether there was a connection.
    mutating func disconnect() -> Bool {
        defer { central = nil }
        return central != nil
    }

    /// Default advertising data: flags and the complete local name.
    private var defaultAdvertisingData: [UInt8] {
        [2, 0x01, 0x06, UInt8(truncatingIfNeeded: name.count + 1), 0x09] + name
    }

    /// Executes a command.
    ///
    /// - Returns: the text after `OK` and a space; `nil` for a bare `OK`.
    mutating func execute(
        _ command: ATCommand, options: RS9116Emulator.Options
    ) throws(CommandError) -> [UInt8]? {
        switch command.name {
        case "getlocalbdaddr" where command.isPlainQuery:
            return Array(hyphenated(publicAddress).utf8)
        case "getlocalname" where command.isPlainQuery:
            switch options.localNameReply {
            case .lengthAndName: return Array((hexadecimal(name.count) + ",").utf8) + name
            case .nameOnly: return name
            case .refused: throw .invalidBluetoothCommand
            }
        case "getbtstackversion" where command.isPlainQuery:
            return Array(options.firmwareVersion.utf8)
        case "getdevstate" where command.isPlainQuery:
            guard !options.deviceStateIsAlwaysZero else { return [UInt8(ascii: "0")] }
            let bits = (air.advertising ? 1 : 0) + (isScanning ? 2 : 0) + (central == nil ? 0 : 8)
            return Array(hexadecimal(bits).utf8)
        case "getrssi" where command.isQuery:
            guard let peer = command.queried.flatMap({ address($0) }) else { throw .invalidParameters }
            guard peer == central else { throw .notConnected }
            return Array("-60".utf8)
        case "disconnect" where options.takesDisconnect:
            guard let peer = command.parameters.flatMap({ address($0) }) else { throw .invalidParameters }
            guard peer == central, disconnect() else { throw .notConnected }
        case "btinit" where command.isBare:
            throw .unableToChangeState
        case "setlocalname":
            if let code = options.refusesLocalName { throw .bluetooth(code) }
            try setName(command)
        case "setantennatxpowerlevel": try checkTransmitPower(command)
        case "advertise", "scan", "setadvertisedata", "setscanrspdata", "setrandadd", "lewhitelist":
            guard mode.bluetooth == .lowEnergy else { throw .unsupportedFeature }
            try executeLowEnergy(command, options)
        default: throw .invalidBluetoothCommand
        }
        return nil
    }

    private mutating func executeLowEnergy(
        _ command: ATCommand, _ options: RS9116Emulator.Options
    ) throws(CommandError) {
        switch command.name {
        case "advertise":
            try advertise(command, options)
        case "scan":
            try scan(command, options)
        case "setadvertisedata":
            guard let data = lengthAndBytes(command.fields) else { throw .invalidParameters }
            if advertising != nil, options.advertisingDataWhileAdvertising == .refused { throw .disallowed }
            advertisingData = data
        case "setscanrspdata":
            // Not stored: no scanner requests a scan response from this module.
            guard lengthAndBytes(command.fields) != nil else { throw .invalidParameters }
        case "setrandadd":
            guard let random = command.parameters.flatMap({ address($0) }) else { throw .invalidParameters }
            guard advertising?.usesRandomAddress != true else { throw .disallowed }
            randomAddress = random
        default:
            // The accept list does not affect which receivers receive an advertisement.
            guard command.parameters != nil else { throw .invalidParameters }
        }
    }

    private mutating func advertise(
        _ command: ATCommand, _ options: RS9116Emulator.Options
    ) throws(CommandError) {
        let isShort = command.fields.count == 1 && decimal(command.fields[0]) == 0
        if isShort, options.stopForm != .allParameters { return try stop(options) }
        let parameters = try AdvertisingParameters(command.fields)
        guard parameters.start else {
            if options.stopForm == .statusOnly { throw .invalidHCIParameter }
            return try stop(options)
        }
        if parameters.type == 131, let code = options.nonConnectableRejection { throw .bluetooth(code) }
        if parameters.usesRandomAddress, randomAddress == nil { throw .invalidHCIParameter }
        guard advertising == nil || options.doubleStart == .accepted, central == nil else { throw .disallowed }
        if isScanning {
            switch options.scanning {
            case .refusedWhileAdvertising: throw .disallowed
            case .endsAdvertising: isScanning = false
            case .besideAdvertising, .silencesAdvertising, .refused: break
            }
        }
        advertising = parameters
    }

    /// Ends the scan without a message.
    mutating func endScan() { isScanning = false }

    private mutating func stop(_ options: RS9116Emulator.Options) throws(CommandError) {
        if advertising == nil, options.stopWhileStoppedIsDisallowed { throw .disallowed }
        advertising = nil
    }

    /// Starts and stops a scan (4.5).
    private mutating func scan(_ command: ATCommand, _ options: RS9116Emulator.Options) throws(CommandError) {
        guard let fields = decimals(command.fields), fields.count == 6, fields[0] <= 1, fields[1] <= 1,
            fields[2] <= 1, fields[3] <= 3, (4...16_384).contains(fields[4]), (4...fields[4]).contains(fields[5])
        else { throw .invalidHCIParameter }
        if case .refused(let code) = options.scanning { throw .bluetooth(code) }
        let start = fields[0] == 1
        if start == isScanning {
            if start ? options.doubleScan == .refused : options.stopWhileStoppedIsDisallowed { throw .disallowed }
        }
        if start, advertising != nil {
            if options.scanning == .refusedWhileAdvertising { throw .disallowed }
            if options.scanning == .endsAdvertising { advertising = nil }
        }
        isSilencedByScan = options.scanning == .silencesAdvertising
        isScanning = start
    }

    /// Sets the name from `<length in decimal>,<name>`. The name can contain commas.
    private mutating func setName(_ command: ATCommand) throws(CommandError) {
        guard let parameters = command.parameters, let comma = parameters.firstIndex(of: UInt8(ascii: ",")),
            let length = decimal(parameters[..<comma])
        else { throw .invalidParameters }
        let name = parameters[comma...].dropFirst()
        guard length <= 16, name.count <= 16 else { throw .nameTooLong }
        guard name.count == Int(length), !name.isEmpty else { throw .invalidParameters }
        self.name = Array(name)
    }

    /// Checks `<protocol>,<index>`: indices 1-31 select the 0 dBm chain, 33-63 the 10 dBm chain, 64-82 the high-power
    /// chain.
    private func checkTransmitPower(_ command: ATCommand) throws(CommandError) {
        guard let fields = decimals(command.fields), fields.count == 2 else { throw .invalidParameters }
        guard (1...2).contains(fields[0]), fields[1] <= 82 else { throw .powerOutOfRange }
        guard fields[1] != 0, fields[1] != 32 else { throw .unsupportedPowerIndex }
    }
}
