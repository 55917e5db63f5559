@testable import Pages

/// A form with files: what is read is within the limits, and its contents read back when they are sent again.
enum MultipartFormCheck: ParserCheck {
    static let name = "multipart-form"

    /// - Parameter input: the content type, a line feed, and the body.
    static func violation(for input: [UInt8]) -> String? {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        let type = String(decoding: input[..<end], as: UTF8.self)
        let body = Array(input[end...].dropFirst())
        guard let form = MultipartForm.parse(body, contentType: type) else { return nil }
        return violation(in: form, ofBytes: body.count) ?? violation(sending: form)
    }

    private static func violation(in form: MultipartForm, ofBytes count: Int) -> String? {
        if form.fields.count + form.fileFields.count > MultipartForm.mostParts { return "too many parts" }
        if !form.fileFields.isDisjoint(with: form.fields.keys) { return "a field that is a file and a value" }
        if !form.fileFields.isSuperset(of: form.files.keys) { return "a file without a field" }
        let names = Array(form.fields.keys) + form.fileFields
        if names.contains(where: { $0.isEmpty || !$0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) {
            return "a field with another name"
        }
        if form.fields.values.contains(where: { $0.utf8.count > MultipartForm.longestValue }) { return "a long value" }
        for file in form.files.values {
            let longest = MultipartForm.longestFileName + 3
            if file.name.isEmpty || file.name.unicodeScalars.count > longest { return "a file name of another length" }
            if file.name.utf8.contains(where: { "/\\".utf8.contains($0) || $0 < 0x20 }) {
                return "a file name with a folder or a line end"
            }
        }
        let contents = form.fields.values.map(\.utf8.count) + form.files.values.map(\.bytes.count)
        return contents.reduce(0, +) > count ? "more contents than were sent" : nil
    }

    /// Sends all contents again, under names of their own.
    private static func violation(sending form: MultipartForm) -> String? {
        let values = form.fields.values.sorted().map { Array($0.utf8) }
        let files = form.files.sorted { $0.key < $1.key }.map(\.value.bytes)
        if values.isEmpty, files.isEmpty { return nil }
        let boundary = Self.boundary(notIn: values + files)
        var body: [UInt8] = []
        func add(_ disposition: String, _ content: [UInt8]) {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n".utf8)
            body += content + [13, 10]
        }
        for (index, value) in values.enumerated() { add("name=\"v\(index)\"", value) }
        for (index, bytes) in files.enumerated() { add("name=\"f\(index)\"; filename=\"f\"", bytes) }
        body += Array("--\(boundary)--\r\n".utf8)
        let again = MultipartForm.parse(body, contentType: "multipart/form-data; boundary=\(boundary)")
        guard let again else { return "contents that cannot be sent again" }
        for (index, value) in values.enumerated() where again.fields["v\(index)"].map({ Array($0.utf8) }) != value {
            return "a value that is read differently"
        }
        for (index, bytes) in files.enumerated() where again.files["f\(index)"]?.bytes != bytes {
            return "a file that is read differently"
        }
        return nil
    }

    /// Returns a boundary that is in none of some contents, as browsers choose one at random.
    private static func boundary(notIn contents: [[UInt8]]) -> String {
        var number = 0
        while true {
            let boundary = "boundary-\(number)-"
            if !contents.contains(where: { $0.contains(Array(boundary.utf8)) }) { return boundary }
            number += 1
        }
    }
}
