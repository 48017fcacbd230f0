import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Connections: a client that waits with its body, and one that asks for a head only", .timeLimit(.minutes(10)))
struct ExpectationTests {
    private static let path = "/nevisfido/uaf/1.1/request/authentication"
    private static let question = #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#
    private static let facets = "/nevisfido/uaf/1.1/facets"
    private static let invitation = "HTTP/1.1 100 Continue\r\n\r\n"

    private static func head(
        _ path: String = path, expecting value: String = "100-continue", version: String = "1.1",
        type: String = "application/fido+uaf;charset=UTF-8", length: Int = question.utf8.count
    ) -> String {
        """
        POST \(path) HTTP/\(version)\r
        Host: a\r
        Content-Type: \(type)\r
        Accept: application/fido+uaf\r
        Expect: \(value)\r
        Content-Length: \(length)\r
        \r

        """
    }

    /// Nothing ends by itself: a client that is told nothing would wait for ever.
    private static var patient: RequestLimits {
        var limits = RequestLimits.unhurried
        limits.idleTime = .seconds(600)
        limits.bodyTime = .seconds(600)
        return limits
    }

    // MARK: - Expect (RFC 9110, 10.1.1)

    @Test(
        "Who waits is told to go on before anything of the body has come, then answered; the connection goes on",
        arguments: ["100-continue", "100-Continue", "something, 100-continue"])
    func invited(value: String) async throws {
        try await ServerFixture.open(limits: Self.patient).live { port in
            let client = try await RawConnection.open(port: port)
            for count in 1...2 {
                await client.send(Self.head(expecting: value))
                _ = await client.until(Self.invitation, count: count)
                await client.send(Self.question)
                let answers = await client.until("HTTP/1.1 200 ", count: count)
                #expect(answers.ranges(of: Self.invitation).count == count)
                #expect(answers.ranges(of: "HTTP/1.1 200 ").count == count, "\(answers)")
            }
            await client.close()
        }
    }

    @Test(
        "A request that is refused by its head gets the refusal and no word to go on",
        arguments: [
            (head("/nope"), "404"), (head(type: "text/plain"), "415"), (head(length: 1_000_000), "413"),
            (head(facets), "405"),
        ])
    func refused(head: String, status: String) async throws {
        try await ServerFixture.open(limits: Self.patient).live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(head)
            let answer = await client.untilClosed()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(!answer.contains("100 Continue"))
        }
    }

    @Test("Who does not wait, asks for something unknown or speaks HTTP/1.0 is answered without a word in between")
    func withoutWaiting() async throws {
        let heads = [
            Self.head() + Self.question, Self.head(expecting: "magic") + Self.question,
            Self.head(version: "1.0") + Self.question,
        ]
        try await ServerFixture.open(limits: Self.patient).live { port in
            for request in heads {
                let client = try await RawConnection.open(port: port)
                await client.send(request)
                let answer = await client.until("}")
                #expect(answer.contains(" 200 OK\r\n"), "\(answer)")
                #expect(!answer.contains("100 Continue"))
                await client.close()
            }
        }
    }

    @Test("A client of HTTP/1.0 that sends its body later gets no word in between either")
    func oldClient() async throws {
        try await ServerFixture.open(limits: Self.patient).live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(Self.head(version: "1.0") + "{")
            await client.send(String(Self.question.dropFirst()))
            let answer = await client.until("}")
            #expect(answer.contains(" 200 OK\r\n") && !answer.contains("100 Continue"), "\(answer)")
        }
    }

    // MARK: - HEAD (RFC 9110, 9.3.2)

    @Test("HEAD is answered as GET is, without the body, and what follows on the connection is read")
    func headOnly() async throws {
        try await ServerFixture.open(limits: Self.patient).live { port in
            let client = try await RawConnection.open(port: port)
            await client.send("GET \(Self.facets) HTTP/1.1\r\nHost: a\r\n\r\n")
            let full = await client.until("]}")
            await client.close()
            let other = try await RawConnection.open(port: port)
            await other.send(
                "HEAD \(Self.facets) HTTP/1.1\r\nHost: a\r\n\r\n" + "HEAD /nope HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "HEAD \(Self.path) HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
            let answers = await other.until("/last")
            await other.close()
            let heads = answers.split(separator: "\r\n\r\n")
            #expect(Self.lines(heads[0]) == Self.lines(full.split(separator: "\r\n\r\n")[0]))
            #expect(heads[1].hasPrefix("HTTP/1.1 404 "))
            #expect(heads[2].hasPrefix("HTTP/1.1 405 ") && heads[2].lowercased().contains("\r\nallow: post"))
            #expect(heads[3].hasPrefix("HTTP/1.1 404 ") && heads.count == 5, "\(answers)")
        }
    }

    /// Lines of a head but those that tell one answer from the next.
    private static func lines(_ head: Substring) -> [Substring] {
        head.split(separator: "\r\n").filter { !$0.lowercased().hasPrefix("date:") }
    }
}
