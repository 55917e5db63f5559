import BeaconModel

/// Commands that query and change the settings.
extension HM10Emulator {
    /// Executes a command.
    ///
    /// - Returns: the reply; `nil` for a command that the firmware does not understand.
    package mutating func command(_ text: ArraySlice<UInt8>) -> String? {
        guard text.starts(with: "AT+".utf8), let text = String(validating: text.dropFirst(3), as: UTF8.self) else {
            return nil
        }
        switch text {
        case "ADDR?": return "OK+ADDR:" + options.address.description.filter { $0 != ":" }
        case "VERS?", "VERR?": return options.firmwareVersion
        case "NAME?": return "OK+NAME:" + String(decoding: stored.name, as: UTF8.self)
        case "ROLE?": return "OK+Get:0"
        case "RENEW":
            stored = HM10Settings()
            return "OK+RENEW"
        default: break
        }
        if text.hasPrefix("NAME") {
            let name = text.dropFirst(4)
            // 12 characters, according to the data sheet of V5xx.
            guard (1...12).contains(name.utf8.count) else { return nil }
            stored.name = Array(name.utf8)
            return "OK+Set:" + name
        }
        return number(text)
    }

    private mutating func number(_ text: String) -> String? {
        if options.hasBeaconUUID {
            for part in 0..<4 {
                if let parameter = text.parameter(of: "IBE\(part)") {
                    return access(parameter, digits: 8, prefixIsWritten: false, \.uuid[part])
                }
            }
        }
        if let parameter = text.parameter(of: "IBEA") { return choose(parameter, below: 2, \.beaconSwitch) }
        if let parameter = text.parameter(of: "ADVI") { return choose(parameter, below: 16, \.interval) }
        if let parameter = text.parameter(of: "POWE") { return choose(parameter, below: 4, \.power) }
        if let parameter = text.parameter(of: "BAUD") { return choose(parameter, below: 9, \.baudIndex) }
        if options.hasAdvertisingType, let parameter = text.parameter(of: "ADTY") {
            return choose(parameter, below: 4, \.advertisingType)
        }
        if let parameter = text.parameter(of: "MARJ") { return access(parameter, digits: 4, \.major) }
        if let parameter = text.parameter(of: "MINO") { return access(parameter, digits: 4, \.minor) }
        if let name = measuredPowerName, let parameter = text.parameter(of: name) {
            return access(parameter, digits: 2, \.measuredPower)
        }
        return nil
    }

    private var measuredPowerName: String? {
        switch options.measuredPowerCommand {
        case .meas: "MEAS"
        case .mea: "MEA"
        case .missing: nil
        }
    }

    /// Queries or sets a setting of one hexadecimal digit.
    private mutating func choose(
        _ parameter: Substring, below limit: UInt8, _ setting: WritableKeyPath<HM10Settings, UInt8>
    ) -> String? {
        if parameter == "?" { return "OK+Get:" + hexadecimal(Int(stored[keyPath: setting])) }
        guard let value: UInt8 = number(parameter, digits: 1), value < limit else { return nil }
        stored[keyPath: setting] = value
        return "OK+Set:" + parameter
    }

    /// Queries or sets a setting with a fixed number of hexadecimal digits.
    ///
    /// - Parameter prefixIsWritten: whether the host writes the prefix `0x` as well; the reply always contains it.
    private mutating func access<Value: FixedWidthInteger>(
        _ parameter: Substring, digits: Int, prefixIsWritten: Bool = true,
        _ setting: WritableKeyPath<HM10Settings, Value>
    ) -> String? {
        if parameter == "?" {
            let text = String(stored[keyPath: setting], radix: 16, uppercase: true)
            return "OK+Get:0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        var written = parameter
        if prefixIsWritten {
            guard parameter.hasPrefix("0x") else { return nil }
            written = parameter.dropFirst(2)
        }
        guard let value: Value = number(written, digits: digits) else { return nil }
        stored[keyPath: setting] = value
        return "OK+Set:0x" + written
    }

    private func number<Value: FixedWidthInteger>(_ text: Substring, digits: Int) -> Value? {
        guard text.utf8.count == digits, text.allSatisfy({ "0123456789ABCDEF".contains($0) }) else { return nil }
        return Value(text, radix: 16)
    }
}

extension String {
    /// Returns the text after the name of a command, or `nil` for another command.
    fileprivate func parameter(of name: String) -> Substring? { hasPrefix(name) ? dropFirst(name.count) : nil }
}

extension HM10Settings {
    fileprivate var beaconSwitch: UInt8 {
        get { isBeacon ? 1 : 0 }
        set { isBeacon = newValue != 0 }
    }
}
