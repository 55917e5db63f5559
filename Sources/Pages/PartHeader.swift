/// Header of a part of a form (RFC 7578, section 4). Pure.
struct PartHeader {
    /// Name of the field.
    var name: String
    /// Name of the file as sent; `nil` if the part is no file.
    var fileName: String?

    private static let mostLines = 8
    private static let longestLine = 1024
    private static let longestName = 64

    /// Reads the header of a part, and moves on to its content.
    ///
    /// - Parameter rest: begins with the end of the delimiter's line.
    /// - Returns: `nil` if the header is damaged, if a limit is exceeded, or if the content is encoded or has parts.
    init?(_ rest: inout ArraySlice<UInt8>) {
        var disposition: [String: String]?
        rest = rest.dropFirst(2)
        for _ in 0...Self.mostLines {
            guard let end = rest.prefix(Self.longestLine + 1).firstIndex(of: 13),
                rest[end...].starts(with: MultipartForm.lineEnd),
                let line = String(validating: rest[rest.startIndex..<end], as: UTF8.self)
            else { return nil }
            if line.isEmpty {
                rest = rest[(end + 2)...]
                guard let disposition, let name = disposition["name"],
                    (1...Self.longestName).contains(name.utf8.count),
                    name.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 32 && $0.value < 127 })
                else { return nil }
                self.name = name
                fileName = disposition["filename"]
                return
            }
            rest = rest[(end + 2)...]
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard disposition == nil, let parameters = Self.disposition(value) else { return nil }
                disposition = parameters
            case "content-type":
                if value.lowercased().hasPrefix("multipart/") { return nil }
            case "content-transfer-encoding":
                guard ["7bit", "8bit", "binary"].contains(value.lowercased()) else { return nil }
            default: break
            }
        }
        return nil
    }

    private static func disposition(_ value: Substring) -> [String: String]? {
        let parts = value.split(separator: ";", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().filter({ $0 != " " }) == "form-data" else { return nil }
        return HeaderParameters.parse(parts[1])
    }
}

/// Parameters of a header field: `name="a"; filename="b c"`. Pure.
enum HeaderParameters {
    private static let most = 8

    /// Returns the parameters by their names in lower case.
    ///
    /// - Returns: `nil` if they are damaged, if there are too many, or if one is there twice.
    static func parse(_ text: Substring) -> [String: String]? {
        var parameters: [String: String] = [:]
        var rest = text[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { return parameters }
            guard parameters.count < most, let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            guard !name.isEmpty, let value = value(&rest), parameters.updateValue(value, forKey: name) == nil else {
                return nil
            }
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { return parameters }
            guard rest.first == ";" else { return nil }
            rest = rest.dropFirst()
        }
    }

    /// Reads a value, in quotes or not. Only a quotation mark can be escaped: some browsers send the separators of
    /// folders, which are backslashes, as they are.
    private static func value(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" && $0 != " " && $0 != "\t" && $0 != "\"" }
            rest = rest[value.endIndex...]
            return value.isEmpty ? nil : String(value)
        }
        var value = ""
        rest = rest.dropFirst()
        while let character = rest.first {
            rest = rest.dropFirst()
            if character == "\"" { return value }
            if character == "\\", rest.first == "\"" {
                rest = rest.dropFirst()
                value.append("\"")
            } else {
                value.append(character)
            }
        }
        return nil
    }
}
