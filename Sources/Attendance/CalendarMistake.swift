/// Invalid or unsupported content of a calendar file.
package struct CalendarMistake: Error {
    package var found: String
    package var allowed: String

    package init(found: String, allowed: String) {
        self.found = found
        self.allowed = allowed
    }
}
