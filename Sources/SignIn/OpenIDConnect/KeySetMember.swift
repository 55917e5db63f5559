/// Member of a key set as it is written (RFC 7517, section 4).
///
/// What has another type than text is taken for missing, because a set may have keys of kinds that came later.
struct KeySetMember: Decodable {
    var type: String?
    /// Use; empty if it is not a text.
    var use: String?
    var operations: [String]?
    var algorithm: String?
    var id: String?
    var curve: String?
    var x: String?
    var y: String?
    var modulus: String?
    var exponent: String?
    /// Whether it has the private half, or is a secret.
    var isPrivate = false

    private enum CodingKeys: String, CodingKey {
        case type = "kty"
        case use
        case operations = "key_ops"
        case algorithm = "alg"
        case id = "kid"
        case curve = "crv"
        case x
        case y
        case modulus = "n"
        case exponent = "e"
        case privateExponent = "d"
        case secret = "k"
    }

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else { return }
        func text(_ key: CodingKeys) -> String? { try? container.decode(String.self, forKey: key) }
        type = text(.type)
        use = container.contains(.use) ? text(.use) ?? "" : nil
        operations =
            container.contains(.operations)
            ? (try? container.decode([String].self, forKey: .operations)) ?? [] : nil
        algorithm = container.contains(.algorithm) ? text(.algorithm) ?? "" : nil
        id = text(.id)
        curve = text(.curve)
        x = text(.x)
        y = text(.y)
        modulus = text(.modulus)
        exponent = text(.exponent)
        isPrivate = container.contains(.privateExponent) || container.contains(.secret)
    }
}
