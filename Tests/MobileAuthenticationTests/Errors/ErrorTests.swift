import Foundation
import MobileAuthentication
import Testing

@Suite("Errors")
struct ErrorTests {
    private static let operationErrors: [OperationError] = [
        .FidoError(errorCode: .userCanceled, cause: nil), .NetworkError(cause: nil), .NoDeviceLockError(cause: nil),
        .DeviceProtectionError(cause: nil), .AppAttestationError(cause: nil), .ClockSkewTooBig(cause: nil),
        .OperationNotSupportedByBackend(cause: nil), .UserAlreadyRegisteredInAnotherServer(cause: nil),
        .UserNotRegisteredInServer(cause: nil), .SigningFailedWithStrongBox(cause: nil), .Unknown(cause: nil),
    ]

    @Test("Each case has a domain, a code of its own and a text")
    func stableCodes() {
        let codes = Self.operationErrors.map { ($0 as NSError).code }
        #expect(Set(codes).count == codes.count)
        #expect(codes.first == 1)
        for error in Self.operationErrors {
            #expect((error as NSError).domain == "MobileAuthentication.OperationError")
            #expect(!(error.errorDescription ?? "").isEmpty)
        }
    }

    @Test("The numbers of the FIDO codes are those of the specification")
    func fidoNumbers() {
        #expect(FidoErrorCode.noSuitableAuthenticator.rawValue == 0x05)
        #expect(FidoErrorCode.keyDisappearedPermanently.rawValue == 0x09)
        #expect(FidoErrorCode.userNotEnrolled.rawValue == 0x11)
        #expect(FidoErrorCode.allCases.allSatisfy { !$0.description.isEmpty })
    }

    @Test("Cancellation is recognised in every error type")
    func cancellation() {
        #expect(OperationError.FidoError(errorCode: .userCanceled, cause: nil).isUserCancellation)
        let failed = AuthenticationError.FidoError(errorCode: .userCanceled, cause: nil, sessionProvider: nil)
        #expect(failed.isUserCancellation)
        #expect(!OperationError.NetworkError(cause: nil).isUserCancellation)
    }

    @Test("A retry makes sense after a passing condition only")
    func retryable() {
        #expect(OperationError.NetworkError(cause: HTTPStatusError(statusCode: 503, body: [])).isRetryable)
        #expect(!OperationError.NetworkError(cause: HTTPStatusError(statusCode: 401, body: [])).isRetryable)
        #expect(!OperationError.NetworkError(cause: InsecureAddressError()).isRetryable)
        #expect(!OperationError.FidoError(errorCode: .userLockout, cause: nil).isRetryable)
        #expect(OperationError.FidoError(errorCode: .userNotResponsive, cause: nil).isRetryable)
    }

    @Test("An error of an authentication carries the session that the server had opened")
    func session() {
        let session = JwtSessionProvider("a.b.c")
        let error = AuthenticationError.NetworkError(cause: nil, sessionProvider: session)
        #expect(error.sessionProvider as? JwtSessionProvider == session)
        #expect(!String(describing: error).contains("a.b.c"))
    }

    @Test("The body in an HTTP error is cut")
    func excerpt() {
        let error = HTTPStatusError(statusCode: 500, body: [UInt8](repeating: 0x61, count: 10_000))
        #expect(error.bodyExcerpt.utf8.count == 512)
    }
}
