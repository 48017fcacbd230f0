import ServerCore
import ServerPush
import StrictJSON
import TestSupport
import Testing

@Suite("2.4: Push messages, against the push sink over TLS")
struct PushDeliveryTests {
    @Test("A sealed message reaches the phone that waits for it, as it was sent")
    func delivery() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            async let waiting = stage.messages(for: token, wait: 60)
            let delivery = try await stage.dispatcher().dispatch(.sample(for: token))
            guard case .delivered(let name, nil) = delivery else { return #expect(Bool(false), "\(delivery)") }
            #expect(name.hasPrefix("projects/push-sink-"))
            let message = try #require(try await waiting.first)
            #expect(try message.string("name") == name)
            let data = try message.required("data") { value throws(JSONTypeError) in try value.asObject() }
            #expect(
                data == [
                    "nma_data": .string(DispatchPayload.jwe), "nma_data_content_type": .string("application/jose"),
                    "nma_data_version": .string("1"),
                ])
            #expect(message["notification"] == .object(["title": .string("Confirm payment")]))
        }
    }

    @Test("What the push service sees is the phone, the notification and sizes; the payload is opaque to it")
    func visibility() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            _ = try await stage.dispatcher().dispatch(.sample(for: token))
            let seen = try #require(try await stage.sightings().first)
            #expect(seen["target"] == .string(token))
            #expect(seen["title"] == .string("Confirm payment"))
            #expect(seen["opaque"] == .bool(true))
            #expect(seen["timeToLive"] == .integer(120))
            #expect(seen["sealedByteCount"] == .integer(6))
            let header = try seen.required("encryptionHeader") { value throws(JSONTypeError) in try value.asObject() }
            #expect(header.members.map(\.name) == ["alg", "enc", "kid"])
            #expect(stage.log.lines.contains { $0.contains("seen by the push service") && $0.contains("opaque=true") })
        }
    }

    @Test("One access token serves all messages, also those sent at once; near its end a fresh one is fetched")
    func accessTokens() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher()
            await withTaskGroup(of: DispatchDelivery.self) { group in
                for _ in 0..<8 { group.addTask { await dispatcher.dispatch(.sample(for: token)) } }
                for await delivery in group { #expect(delivery.isDelivered) }
            }
            #expect(stage.grantCount == 1)
            stage.timer.advance(by: .seconds(3_500))
            #expect(await dispatcher.dispatch(.sample(for: token)).isDelivered)
            #expect(stage.grantCount == 1)
            stage.timer.advance(by: .seconds(50))
            #expect(await dispatcher.dispatch(.sample(for: token)).isDelivered)
            #expect(stage.grantCount == 2)
        }
    }

    @Test("An access token that the service has forgotten is replaced once, and the message arrives")
    func revokedAccessToken() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher()
            _ = await dispatcher.dispatch(.sample(for: token))
            _ = try await stage.client.post("/sink/access-tokens/revoke")
            #expect(await dispatcher.dispatch(.sample(for: token)).isDelivered)
            #expect(try await stage.messages(for: token).count == 2)
            try await stage.behave(["answer": .string("unauthorized")])
            #expect(await dispatcher.dispatch(.sample(for: token)) == .failed(.refused))
        }
    }

    @Test("A phone that the service does not know any more is unregistered, not an error of ours")
    func unregistered() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher()
            try await stage.client.delete("/sink/devices/\(token)")
            #expect(await dispatcher.dispatch(.sample(for: token)) == .failed(.unregistered))
            let other = try await stage.register()
            try await stage.behave(["answer": .string("unregistered"), "registrationToken": .string(other)])
            #expect(await dispatcher.dispatch(.sample(for: other)) == .failed(.unregistered))
            #expect(try await stage.sightings().isEmpty)
        }
    }

    @Test("A refused message is not tried again")
    func refused() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            try await stage.behave(["answer": .string("refused"), "count": .integer(1)])
            let dispatcher = try stage.dispatcher()
            #expect(await dispatcher.dispatch(.sample(for: token)) == .failed(.refused))
            #expect(stage.timer.pauses.isEmpty)
            #expect(stage.log.lines.contains("warning: push refused reason=INVALID_ARGUMENT"))
        }
    }

    @Test("An overloaded service is given the time that it asks for, then tried again")
    func retryAfter() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            try await stage.behave([
                "answer": .string("unavailable"), "count": .integer(2), "retryAfterSeconds": .integer(7),
            ])
            #expect(await (try stage.dispatcher()).dispatch(.sample(for: token)).isDelivered)
            #expect(stage.timer.pauses == [.seconds(7), .seconds(7)])
            #expect(try await stage.messages(for: token).count == 1)
        }
    }

    @Test("Without such a wish the pauses grow; with no time left the message is given up")
    func backOff() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            try await stage.behave(["answer": .string("unavailable")])
            var plan = RetryPlan()
            plan.attempt = .seconds(120)
            let dispatcher = try stage.dispatcher(plan: plan)
            #expect(await dispatcher.dispatch(.sample(for: token)) == .failed(.unavailable))
            let pauses = stage.timer.pauses
            #expect(pauses.count >= 3)
            #expect(pauses.reduce(.zero, +) < plan.deadline)
            for (index, pause) in pauses.enumerated() {
                let longest = min(plan.longestPause, plan.firstPause * (1 << index))
                #expect(pause <= longest && pause >= longest / 2)
            }
            // A wish beyond the deadline is not waited for at all.
            try await stage.behave(["answer": .string("unavailable"), "retryAfterSeconds": .integer(60)])
            #expect(await dispatcher.dispatch(.sample(for: token)) == .failed(.unavailable))
            #expect(stage.timer.pauses == pauses)
        }
    }

    @Test("A service that does not answer in time is given up")
    func slow() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher()
            // The access token is there; only the message is slow.
            _ = await dispatcher.dispatch(.sample(for: token))
            try await stage.behave(["answer": .string("slow"), "delayMilliseconds": .integer(3_600_000)])
            var plan = RetryPlan()
            plan.attempt = .seconds(2)
            plan.deadline = .seconds(5)
            let hurried = try stage.dispatcher(plan: plan) { $0.isDryRun = false }
            #expect(await hurried.dispatch(.sample(for: token)) == .failed(.unavailable))
            #expect(try await stage.messages(for: token).count == 1)
        }
    }

    @Test("A dry run is judged and not delivered")
    func dryRun() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher { $0.isDryRun = true }
            #expect(await dispatcher.dispatch(.sample(for: token)).isDelivered)
            #expect(try await stage.messages(for: token).isEmpty)
            #expect(await dispatcher.dispatch(.sample(for: "unknown")) == .failed(.unregistered))
        }
    }

    @Test("Nothing is pushed that is not sealed, and nothing without a receiver")
    func unsealed() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let dispatcher = try stage.dispatcher()
            let plain = DispatchPayload.sample(for: token, contentType: "application/json")
            #expect(await dispatcher.dispatch(plain) == .failed(.refused))
            #expect(await dispatcher.dispatch(.sample(for: nil)) == .failed(.refused))
            #expect(await dispatcher.dispatch(.sample(for: "user-disabled")) == .failed(.refused))
            #expect(try await stage.sightings().isEmpty)
            #expect(dispatcher.requiresEncryption && dispatcher.requiresTarget)
        }
    }

    @Test("The log names neither the phone, nor the payload, nor an access token")
    func logs() async throws {
        try await SinkStage.run { stage in
            let token = try await stage.register()
            let log = RecordedLog()
            let dispatcher = try stage.dispatcher(log: log)
            for answer in ["refused", "unregistered", "unavailable", "unauthorized"] {
                try await stage.behave([
                    "answer": .string(answer), "retryAfterSeconds": .integer(1_000), "count": .integer(2),
                ])
                _ = await dispatcher.dispatch(.sample(for: token))
            }
            #expect(!log.lines.isEmpty)
            for secret in [token, DispatchPayload.jwe, "ya29", "PRIVATE", "eyJ"] {
                #expect(!log.lines.contains { $0.contains(secret) })
            }
        }
    }
}

extension DispatchDelivery {
    /// Whether the parcel is on its way.
    var isDelivered: Bool {
        if case .delivered = self { true } else { false }
    }
}
