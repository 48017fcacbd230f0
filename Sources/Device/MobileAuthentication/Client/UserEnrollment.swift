/// Whether a user has enrolled in an authenticator.
///
/// It is always one of ``SdkUserEnrollment`` and ``OsUserEnrollment``; find out with `as?`.
public protocol UserEnrollment: Encodable, Equatable, Sendable {}
