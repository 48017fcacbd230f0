/// Browser that loads one sign-in page again and again, whose code is never scanned.
struct PageVisitor: LoadSubject {
    private let address: String
    private let network: PhoneNetwork
    private var connection: PhoneConnection?
    private var visit: BrowserVisit?

    /// Browser with a number, which gives it an address of its own.
    init(_ number: Int, on network: PhoneNetwork) {
        address = "10.255.0.\(number & 0xFF)"
        self.network = network
    }

    /// Opens the connection and the page, which makes its cookie.
    mutating func prepare() async throws {
        let opened = try await network.connect().forwarding(address)
        visit = try await BrowserVisit(WebSite.CodeRequest(), over: opened)
        connection = opened
    }

    /// One view in three requests: the page, the picture of its code, and the status, which is answered at once.
    mutating func work() async throws {
        guard let visit else { throw BenchmarkFailure.connectionLost }
        _ = try await visit.show()
        try await visit.status("waiting")
    }

    /// Closes the connection.
    mutating func hangUp() async throws {
        try await connection?.close()
        (connection, visit) = (nil, nil)
    }
}
