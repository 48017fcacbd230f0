import BackendTransport
import Foundation
import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication

@Suite("O-M10: the time that an application sets for its server")
struct NetworkTimeoutTests {
    @Test("O-M10: every exchange of every operation has that time, and none has more")
    func everyExchange() async throws {
        let phone = try await TestPhone { $0.networkTimeout = 4.5 }
        try await phone.register()
        _ = try await phone.authenticate()
        try await phone.client.operations.deregistration.username("jeff").perform()
        let requests = phone.backend.requests
        #expect(requests.count >= 5)
        for request in requests { #expect(request.timeout == .seconds(4.5), "\(request.url)") }
    }

    @Test("O-M10: a list of facets has ten seconds where the application gives its server more")
    func facets() async throws {
        let phone = try await TestPhone { $0.networkTimeout = 50 }
        try await phone.register()
        let lists = phone.backend.requests.filter { $0.url.hasSuffix("/facets") }
        #expect(!lists.isEmpty)
        #expect(lists.allSatisfy { $0.timeout == .seconds(10) })
        #expect(phone.backend.requests.contains { $0.timeout == .seconds(50) })
    }

    @Test("O-M10: when the time is up the operation ends with the error of a slow network")
    func error() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults["/uaf/1.1/request/registration/"] = .failure(.timedOut) }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect((error?.cause as? URLError)?.code == .timedOut)
    }
}
