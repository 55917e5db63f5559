/// Typed command for emulated modules.
enum TypedOrder: Equatable {
    /// Event that happens to a module.
    ///
    /// - Parameter module: index of the module.
    case event(String, module: Int)
    /// Command that is sent to a module as if from a terminal.
    case command(String, module: Int)
    /// Order for a module that does not exist, with the text that names it.
    case noModule(String)
    /// Order to send a command, without the command or with an invalid module number.
    case noCommand

    /// Parses a typed line.
    ///
    /// - Parameter modules: number of modules. Users count them from 1.
    /// - Returns: the order; `nil` for an empty line.
    init?(_ line: String, modules: Int) {
        let words = line.split(separator: " ")
        guard let word = words.first else { return nil }
        let rest = words.dropFirst()
        let number = rest.first.flatMap { Int($0) }
        let named = Self.index(number ?? 1, of: modules)
        if word == "type" {
            let command = number == nil ? rest : rest.dropFirst()
            guard let index = named, !command.isEmpty else {
                self = .noCommand
                return
            }
            self = .command(command.joined(separator: " "), module: index)
            return
        }
        guard let index = named, rest.isEmpty || number != nil else {
            self = .noModule(rest.joined(separator: " "))
            return
        }
        self = .event(String(word), module: index)
    }

    /// Returns the index for a typed number. Any number can be typed, so it is compared before it is used in
    /// arithmetic.
    private static func index(_ number: Int, of modules: Int) -> Int? {
        1 <= number && number <= modules ? number - 1 : nil
    }
}
