/// Property of an event that contains the name of its course.
package enum CourseSource: String, Sendable, CaseIterable {
    case summary
    /// First of the event's categories; the summary for an event without any.
    case categories
}
