/// NIST SP 800-63B-4, section 5: sessions of the provider itself. Sites and applications answer for their own.
extension ProfileRow {
    static let sessions = secrets + cookies + reauthentication

    private static let secrets = [
        ProfileRow("5.1", "a secret that the browser presents holds a session", .test("SignInSessionTests/ownBrowser")),
        ProfileRow("5.1", "the server makes that secret at the sign-in", .test("BrowserSessionTests/withoutSession")),
        ProfileRow("5.1", "no cookie stands for a sign-in after the session", .test("BrowserSessionTests/end")),
        ProfileRow(
            "5.1", "the proof of a key prolongs no session",
            .outside("no session rests on such a proof: DPoP binds tokens")),
        ProfileRow(
            "5.1", "a session passes for no higher level than its sign-in", .test("BrowserSessionTests/askedAgain")),
        ProfileRow("5.1", "a logout ends the session", .test("LogoutTests/hinted")),
        ProfileRow("5.1", "a session ends by its time (2.2.3, 2.3.3)", .test("BrowserSessionTests/end")),
        ProfileRow("5.1", "no log and no other system learns the secret", .test("DisclosureTests/drawn")),
        ProfileRow("5.1", "nothing falls back to a connection without TLS", .test("TLSMatrixTests/versions")),
        ProfileRow("5.1", "a form of another site changes nothing", .test("FormTokenTests/foreign")),
    ]

    private static let cookies = [
        ProfileRow("5.1.1", "cookies go over TLS only, to this host only", .test("OpenIDRouteTests/authorize")),
        ProfileRow(
            "5.1.1", "the same holds for the cookie of a login of the back end",
            .test("AuthorizationTests/cookieAttributes")),
        ProfileRow(
            "5.1.1", "sessions end in the server, whatever cookie the browser keeps", .test("BrowserSessionTests/end")),
        ProfileRow("5.1.1", "cookies hold nothing about the person", .test("SignInSessionTests/cookie")),
        ProfileRow(
            "5.1.2", "a token does not show that a person is there",
            .outside("sites must not take it so; auth_time and max_age tell the sign-in")),
    ]

    private static let reauthentication = [
        ProfileRow(
            "5.2", "activity begins the time without activity anew",
            .outside("a session has one time, which no activity prolongs")),
        ProfileRow("5.2", "a sign-in begins the times anew", .test("LogoutTests/signedInTwice")),
        ProfileRow(
            "5.2", "the limits are documented in the security plan",
            .outside("your plan names the values that this check prints")),
        ProfileRow(
            "5.2", "the site decides whether a sign-in is fresh enough", .test("BrowserSessionTests/maximumAge")),
        ProfileRow(
            "5.3", "what sessions are watched for is assessed for privacy", .outside("sessions are not watched")),
    ]
}
