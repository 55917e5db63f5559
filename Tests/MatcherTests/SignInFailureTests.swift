import Pages
import Testing

@testable import MatcherDaemon

@Suite struct SignInFailureTests {
    @Test(
        "A refusal is counted by what was refused",
        arguments: [
            (APIRoute.Access.operators, SignInFailure.operatorToken), (.code, .code), (.subject, .secret),
            (.carrier, .secret), (.reporter, .secret), (.enrolment, .secret),
        ])
    func api(access: APIRoute.Access, failure: SignInFailure) {
        #expect(SignInFailure(access, nil, status: 401) == failure)
        #expect(SignInFailure(access, nil, status: 403) == failure)
        #expect(SignInFailure(access, nil, status: 200) == nil)
        #expect(SignInFailure(access, nil, status: 404) == nil)
    }

    @Test("On the page, sign-ins, links and codes are counted, and nothing else that is forbidden")
    func page() {
        #expect(SignInFailure(nil, .finishSignIn, status: 403) == .signIn)
        #expect(SignInFailure(nil, .useLink, status: 403) == .link)
        #expect(SignInFailure(nil, .sendSelfReport, status: 403) == .code)
        #expect(SignInFailure(nil, .people, status: 403) == nil)
        #expect(SignInFailure(nil, nil, status: 403) == nil)
    }

    @Test("A public route has no secret that could be wrong")
    func anybody() {
        #expect(SignInFailure(.anybody, nil, status: 403) == nil)
    }
}
