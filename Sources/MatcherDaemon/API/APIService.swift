import InteractionStore
import MatcherCore
import Matching
import RecordContract
import SystemIO

/// Operations of the API and their answers.
struct APIService: Sendable {
    var store: SharedStore
    var policy: Policy
    var secrets: SubjectSecrets
    var verifier: ReportVerifier
    var pseudonymizers: [Pseudonymizer]
    var pages: PositivePages
    var notices: NoticeStreams
    var topicPrefix: String
    /// Request budgets by subject.
    var budgets: LockedValue<RequestBudgets>
    /// Budgets of stays by client address: enrolling phones is free, and the stays that they report are kept for days.
    var stayBudgets: LockedValue<RequestBudgets>
    var enrolmentTries = LockedValue(EnrolmentTries())
    /// The authority that vouches for verification codes.
    var codes: CodeAuthority
    var codeTries = LockedValue(CodeTries())
    /// Budgets of pictures of test results by client address.
    var pictureBudgets = LockedValue(PictureBudgets())
    /// Operators who can see attendance and occupancy.
    var operators: [OperatorCredential]
    var occupancy: OccupancySearch
    var gateways: GatewayWatch
    var configuration: MatcherConfiguration
    var live: LivePlaces
    var phoneLocator: PhoneLocator
    var attendanceFiles = AttendanceReader()
    /// Operators with a request for attendance in progress.
    var attendanceAskers = LockedValue<Set<String>>([])
    /// Numbers of people whose data is being deleted on the page.
    var erasing = LockedValue<Set<String>>([])
    /// The present time, in seconds since 1970.
    var now: @Sendable () -> Int64

    /// Runs work with the store on a thread of its own, so that no shared thread is blocked.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (InteractionStore) throws -> Value
    ) async throws -> Value {
        try await DedicatedThread.run(name: "api") { [store] in Result { try store.use { try body($0) } } }.get()
    }

    /// Returns the name of the operator with this token, for the log; `nil` if there is none.
    func operatorName(of token: String?) -> String? { OperatorCredential.name(of: token, among: operators) }

    /// Checks a subject's secret and charges the subject's budget.
    ///
    /// - Returns: the version of the secret.
    @discardableResult
    func authorize(_ subject: SubjectIdentity, by request: APIRequest) async throws -> Int64 {
        guard let version = try await version(of: request.secret, for: subject) else { throw APIError.unauthorized }
        request.proven.note(subject)
        if let seconds = budgets.withLock({ $0.take("s \(subject)", now: MonotonicSeconds.elapsed) }) {
            throw APIError.tooMany(retryAfter: seconds)
        }
        return version
    }

    func isRight(_ secret: String?, for subject: SubjectIdentity) async throws -> Bool {
        try await version(of: secret, for: subject) != nil
    }

    /// Returns the version of a subject's secret. It is read from the store, because another process may have renewed
    /// the secret a moment ago.
    ///
    /// - Returns: `nil` for a wrong secret.
    private func version(of secret: String?, for subject: SubjectIdentity) async throws -> Int64? {
        guard let secret else { return nil }
        let version = try await work { try $0.secretVersions(of: [subject])[subject] ?? 0 }
        return secrets.isRight(secret, for: subject, version: version) ? version : nil
    }
}
