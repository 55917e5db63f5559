/// Contents of a page: values that a template shows.
///
/// Templates read stored properties by name. What they show is escaped for HTML, except for values in three braces.
package protocol PageContent: Sendable {
    static var template: PageTemplate { get }
    var frame: Frame { get }
}
