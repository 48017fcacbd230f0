import DocumentListings
import MobileAuthentication
import MobileAuthenticationTestKit
import NevisMobileAuthentication
import Synchronization
import Testing

@Suite("The listings about pretended phones that need no server do what they say")
struct TestKitListingTests {
    @Test("The enclave of a phone changes, and time passes at once")
    func parts() async throws {
        let configuration = Configuration(authCloudHostname: "server.example")
        let enclave = try await TestKitListings.enclave(configuration)
        #expect(enclave.enrolled.contains("another face"))
        #expect(await enclave.status() == .absent)
        #expect(try await TestKitListings.clock() == .seconds(60))
    }

    @Test("An operation is ended by its name in the module of the closed SDK")
    func formerModule() {
        let operation = CountedOperation()
        FormerModuleListings.stop(operation)
        #expect(operation.cancelCount == 1)
    }

    private final class CountedOperation: NevisMobileAuthentication.Operation {
        private let count = Mutex(0)

        var cancelCount: Int { count.withLock { $0 } }

        func execute() {}
        func cancel() { count.withLock { $0 += 1 } }
    }
}
