/// Timetables and rosters that were uploaded, and the form that uploads.
package struct TimetablePage: PageContent {
    package static let template = PageTemplate.timetable
    package var frame: Frame
    /// Reason why the files cannot be read.
    package var trouble: AttendanceTrouble?
    /// Findings in files that were not saved.
    package var reviews: [UploadReview]
    /// Outcome for the files, in a sentence.
    package var outcome: String?
    package var outcomeIsProblem: Bool
    package var uploads: [Upload]
    package var hasUploads: Bool
    /// Files that the configuration names, in a sentence.
    package var configured: String
    /// Courses for which the account can upload, in a sentence.
    package var courses: String
    /// Name as typed.
    package var name: String
    /// Value of the field that agrees to what is not shown any more: students leave courses, or courses lose their
    /// timetable. `nil` if nothing is asked.
    package var consent: String?
    package let lecturesPath = PageRoute.lectures.path

    package struct Upload: Equatable, Sendable {
        package var kind: String
        package var name: String
        package var contents: String
        /// Note on what it replaces, in a sentence.
        package var replaces: String?
        package var by: String
        package var at: String
        package var removal: Removal?

        package init(
            kind: String, name: String, contents: String, replaces: String? = nil, by: String, at: String,
            removal: Removal? = nil
        ) {
            self.kind = kind
            self.name = name
            self.contents = contents
            self.replaces = replaces
            self.by = by
            self.at = at
            self.removal = removal
        }
    }

    /// Fields of the form that removes an upload.
    package struct Removal: Equatable, Sendable {
        package var kindValue: String
        package var key: String

        package init(kind: String, key: String) {
            kindValue = kind
            self.key = key
        }
    }

    package init(
        _ frame: Frame, trouble: AttendanceTrouble? = nil, reviews: [UploadReview] = [],
        outcome: (text: String, isProblem: Bool)? = nil, uploads: [Upload], configured: String, courses: String,
        name: String = "", consent: String? = nil
    ) {
        self.frame = frame
        self.trouble = trouble
        self.reviews = reviews
        self.outcome = outcome?.text
        outcomeIsProblem = outcome?.isProblem ?? false
        self.uploads = uploads
        hasUploads = !uploads.isEmpty
        self.configured = configured
        self.courses = courses
        self.name = name
        self.consent = consent
    }
}
