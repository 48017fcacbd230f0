import BackendAPI
import BackendTransport
import Foundation
import HardwareKeys
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Registration against a server")
struct RegistrationTests {
    private static let response = "/uaf/1.1/registration/"
    private static let request = "/uaf/1.1/request/registration/"

    @Test("A registration leaves an account, its enrolment and the device information")
    func success() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        #expect(phone.usernames == ["jeff"])
        #expect(phone.client.localData.deviceInformation?.name == "phone")
        #expect(phone.client.localData.deviceInformation?.deviceId?.isEmpty == false)
        let authenticator = try #require(phone.client.localData.authenticators.first { $0.aaid == "F1D0#1001" })
        #expect(authenticator.registration.isRegistered("jeff"))
        let enrollment = try #require(authenticator.userEnrollment as? SdkUserEnrollment)
        #expect(enrollment.isEnrolled("jeff"))
        #expect(phone.client.localData.authenticators.count == 5)
    }

    @Test("The facet list is fetched before the user is asked, anonymously")
    func facetFirst() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915"])
        await MainActor.run {
            person.interruption = { #expect(phone.backend.requests(to: "/uaf/1.1/facets").count == 1) }
        }
        try await phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone"))
            .authorizationProvider(JwtAuthorizationProvider("a.b.c"))
            .authenticatorSelector(person).pinEnroller(person).perform()
        let request = try #require(phone.backend.requests(to: "/uaf/1.1/facets").first)
        #expect(request.method == .get)
        #expect(request.headers.first("Authorization") == nil)
        #expect(request.headers.first("Cookie") == nil)
    }

    @Test("A list that does not name the application ends with untrustedFacetId and asks no question")
    func untrusted() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.facets = ["ios:bundle-id:com.example.other"] }
        let person = await TestUser(pins: ["482915"])
        let error = await #expect(throws: OperationError.self) { try await phone.register(user: person) }
        #expect(error?.fidoErrorCode == .untrustedFacetId)
        #expect(await person.selections.isEmpty)
        #expect(phone.backend.requests(to: Self.response).isEmpty)
    }

    @Test("A list that cannot be fetched is a network error, and asks no question")
    func unreachableList() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults["/uaf/1.1/facets"] = .failure(.noConnection) }
        let person = await TestUser(pins: ["482915"])
        let error = await #expect(throws: OperationError.self) { try await phone.register(user: person) }
        guard case .NetworkError(let cause) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((cause as? URLError)?.code == .cannotConnectToHost)
        #expect(await person.selections.isEmpty)
    }

    @Test("A status other than 1200 removes the key and comes as the cause", arguments: [1400, 1481, 1495, 1498])
    func refused(status: UInt32) async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults[Self.response] = .uafStatus(StatusCode(rawValue: status)) }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.fidoErrorCode == .protocolError)
        #expect((error?.cause as? ServerStatus)?.code == Int(status))
        #expect(try await phone.environment.store.snapshot().scopes.isEmpty)
        #expect(phone.client.localData.deviceInformation == nil)
    }

    @Test("Without an answer the key stays pending and invisible; the next authentication promotes it")
    func lostAnswer() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults[Self.response] = .lostAnswer }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        guard case .NetworkError(let cause) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect((cause as? URLError)?.code == .timedOut)
        #expect(phone.usernames.isEmpty)
        #expect(try await phone.environment.store.snapshot().scopes.flatMap(\.keys).map(\.state) == [.pending])
        phone.backend.script { $0.faults = [:] }
        _ = try await phone.authenticate()
        #expect(phone.usernames == ["jeff"])
    }

    @Test("A new registration after a lost one leaves one key")
    func repeatedRegistration() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults[Self.response] = .failure(.noConnection) }
        _ = await #expect(throws: OperationError.self) { try await phone.register() }
        phone.backend.script { $0.faults = [:] }
        try await phone.register()
        #expect(try await phone.environment.store.snapshot().scopes.flatMap(\.keys).map(\.state) == [.registered])
    }

    @Test("An HTTP status is a network error with status and excerpt", arguments: [400, 401, 404, 500, 503])
    func httpStatus(status: Int) async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults[Self.request] = .httpStatus(status) }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect((error?.cause as? HTTPStatusError)?.statusCode == status)
        #expect((error?.cause as? HTTPStatusError)?.bodyExcerpt == "no")
    }

    @Test(
        "A body or request that breaks the rules is a protocol error",
        arguments: [
            "", "{", #"{"statusCode":"1200"}"#, #"{"statusCode":1200,"uafRequest":"[]"}"#,
            #"{"statusCode":1200,"uafRequest":"[{\"header\":{\"upv\":{\"major\":1,\"minor\":1},\"op\":\"Auth\"}}]"}"#,
        ])
    func malformed(body: String) async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults[Self.request] = .body(Array(body.utf8)) }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.fidoErrorCode == .protocolError)
    }

    @Test("A request of another version is unsupportedVersion")
    func version() async throws {
        let phone = try await TestPhone()
        let message = #"[{\"header\":{\"upv\":{\"major\":1,\"minor\":7},\"op\":\"Reg\"}}]"#
        let body = #"{"statusCode":1200,"uafRequest":"\#(message)"}"#
        phone.backend.script { $0.faults[Self.request] = .body(Array(body.utf8)) }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.fidoErrorCode == .unsupportedVersion)
    }

    @Test("Cancellation is reported to the server with its code and an empty list of assertions")
    func report() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: [])
        let error = await #expect(throws: OperationError.self) { try await phone.register(user: person) }
        #expect(error?.isUserCancellation == true)
        let sent = try #require(phone.backend.requests(to: Self.response).first)
        let body = try SendUAFResponse(body: sent.body)
        #expect(try body.context().clientErrorCode == .userCancelled)
        #expect(body.uafResponse.hasSuffix(#""assertions":[]}]"#))
        #expect(body.uafResponse.contains(#""fcParams":""#))
    }

    @Test("A PIN of the wrong form is asked for again")
    func refusedPins() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["12", "123456", "482915"])
        try await phone.register(user: person)
        #expect(await person.refusals.count == 3)
        #expect(await person.acceptances == 1)
    }

    @Test("An http base address is a network error before any request")
    func insecure() async throws {
        let phone = try await TestPhone("http://server.example/nevisfido")
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.cause is InsecureAddressError)
        #expect(phone.backend.requests.isEmpty)
    }

    @Test("Headers of the application are sent, but never replace the protocol's")
    func headers() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915"])
        try await phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone"))
            .authorizationProvider(JwtAuthorizationProvider("a.b.c"))
            .requestHeaders(["X-Trace": "7", "authorization": "Basic x", "Accept": "text/html"])
            .authenticatorSelector(person).pinEnroller(person).perform()
        let request = try #require(phone.backend.requests(to: Self.request).first)
        #expect(request.headers.values(of: "X-Trace") == ["7"])
        #expect(request.headers.values(of: "Authorization") == ["Bearer a.b.c"])
        #expect(request.headers.values(of: "Accept") == ["application/fido+uaf"])
        #expect(request.headers.first("User-Agent")?.hasPrefix("NMASDK/") == true)
    }

    @Test("Both call forms end once; a second start is an error of its own")
    func callForms() async throws {
        let phone = try await TestPhone()
        let person = await TestUser(pins: ["482915", "482915"])
        let operation = phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person).pinEnroller(person)
        let end = OneShot<UserAnswer<Bool>>()
        operation.onSuccess { end.fill(.given(true)) }.onError { _ in end.fill(.given(false)) }.execute()
        guard case .given(true) = await end.value() else {
            Issue.record("the callback form failed")
            return
        }
        let error = await #expect(throws: OperationError.self) { try await operation.perform() }
        #expect(error?.cause is OperationReuseError)
    }

    @Test("Canceling the operation while the user is asked ends it with userCanceled")
    func cancelFromOutside() async throws {
        let phone = try await TestPhone()
        phone.backend.script { $0.faults[Self.request] = .silence }
        let person = await TestUser(pins: ["482915"])
        let operation = phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person).pinEnroller(person)
        let end = OneShot<UserAnswer<OperationError?>>()
        operation.onSuccess { end.fill(.given(nil)) }.onError { end.fill(.given($0)) }.execute()
        while phone.backend.requests.isEmpty { await Task.yield() }
        operation.cancel()
        operation.cancel()
        guard case .given(.some(let error)) = await end.value() else {
            Issue.record("the operation did not end with an error")
            return
        }
        #expect(error.isUserCancellation)
    }
}
