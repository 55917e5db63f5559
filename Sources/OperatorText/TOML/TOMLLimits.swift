/// Limits of what is read, so that time, memory, and stack are bounded for any text.
package enum TOMLLimits {
    /// Maximum size of a document in UTF-8, in bytes.
    package static let bytes = 16 * 1024 * 1024
    /// Maximum number of parts of headers and keys, and of brackets, around a value.
    package static let depth = 64
    /// Maximum number of keys, headers, and elements of arrays in a document.
    package static let entries = 500_000
    /// Maximum length of a number, date, or time, in characters.
    static let literal = 400
}
