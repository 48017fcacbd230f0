/// Which kind of enrolment an authenticator has.
enum EnrollmentSnapshot: Hashable {
    case sdk([RegisteredAccount])
    case os(Bool)
}
