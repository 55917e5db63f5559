import ArgumentParser
import CommandSupport
import InteractionStore
import MatcherDaemon
import People
import SystemIO

struct PeopleExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints the register of people as CSV that `people import` reads.")

    @Argument(help: "The file to write or replace, readable only by its owner (default: the standard output).")
    var file: String?

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            try store.noteCommand(.exported, "people")
            // Spreadsheets take a file without the mark for Latin-1. Programs that read the output do not expect it.
            var text = (file == nil ? "" : "\u{FEFF}") + PeopleFile.header + "\n"
            var count = 0
            try store.forEachPage { people in
                count += people.count
                for person in people { text += PeopleFile.line(of: person) + "\n" }
                guard file == nil else { return }
                try Terminal.write(text)
                text = ""
            }
            guard let file else { return }
            try FileContents.replace(file, with: Array(text.utf8), isPrivate: true)
            Terminal.note("wrote \(file): \(count) \(count == 1 ? "person" : "people")")
        }
    }
}
