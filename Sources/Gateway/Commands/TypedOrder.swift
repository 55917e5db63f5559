/// What somebody types for emulated modules.
enum TypedOrder: Equatable {
    /// Something happens to a module.
    ///
    /// - Parameter module: its index.
    case event(String, module: Int)
    /// Somebody at a terminal sends a command to a module.
    case command(String, module: Int)
    /// It is for a module that isn't there, called so.
    case noModule(String)
    /// Which command is to be sent isn't said, or not to which module.
    case noCommand

    /// - Parameter modules: how many there are; people count them from 1.
    /// - Returns: `nil` of an empty line.
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

    /// Any number may be typed: it is compared before anything is computed of it.
    private static func index(_ number: Int, of modules: Int) -> Int? {
        1 <= number && number <= modules ? number - 1 : nil
    }
}
