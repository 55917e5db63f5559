import BeaconModel

/// Finds badges in a text of any format, such as a roster. Pure.
package enum BadgesInText {
    /// Lengths of a badge's name in bytes: a UUID, with hyphens or without, and two numbers.
    private static let lengths = 36...48

    /// Returns the badges in a text as `uuid/major/minor`.
    package static func names(in text: some Sequence<UInt8>) -> Set<String> {
        var names: Set<String> = []
        var word: [UInt8] = []
        var slashes = 0
        func finish() {
            if slashes == 2, lengths.contains(word.count), let badge = BeaconID(String(decoding: word, as: UTF8.self)) {
                names.insert(badge.description)
            }
            word.removeAll(keepingCapacity: true)
            slashes = 0
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "/"):
                slashes += 1
                word.append(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                word.append(byte)
            default: finish()
            }
        }
        finish()
        return names
    }
}
