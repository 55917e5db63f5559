/// Something in a calendar file that cannot be used.
package struct CalendarMistake: Error {
    package var found: String
    package var allowed: String

    package init(found: String, allowed: String) {
        self.found = found
        self.allowed = allowed
    }
}
