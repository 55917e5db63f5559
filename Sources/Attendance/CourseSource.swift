/// Which property of an event is the name of its course.
package enum CourseSource: String, Sendable, CaseIterable {
    case summary
    /// The first of the event's categories; of an event without any, the summary.
    case categories
}
