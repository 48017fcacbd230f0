#if canImport(Glibc)
    import TestSupport
    import Testing

    @Suite("Judging an answer of a phone takes no more pieces of memory than its budget")
    struct AllocationBudgetTests {
        /// Pieces from the octets of the message to the verdict, as the program takes them that is built for tests.
        ///
        /// The coding of a signature in DER may take a few more or fewer. A change that needs more says here why; one that needs
        /// fewer lowers the number, or the last test fails.
        private static let budgets = [
            "registration-p256-raw": 452, "authentication-p256-raw": 450, "registration-p256-der": 543,
            "authentication-p256-der": 460, "registration-rsa-2048": 478, "authentication-rsa-2048": 457,
        ]

        /// Counts of a run by operation; with a surplus each operation takes as many pieces more.
        private func counts(surplus: Int = 0) throws -> [String: Int] {
            let ending = try BuiltProgram("AllocationChild").run([String(surplus)], environment: [:])
            try #require(ending.status == 0, "\(ending.complaints)")
            let lines = ending.output.split(separator: "\n").map { $0.split(separator: " ") }
            return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), Int($0[1]) ?? -1) })
        }

        @Test("A registration and an authentication stay within their budgets, with every algorithm")
        func withinBudget() throws {
            let counts = try counts()
            #expect(Set(counts.keys) == Set(Self.budgets.keys))
            for (operation, budget) in Self.budgets {
                let count = try #require(counts[operation])
                #expect(count > 0 && count <= budget, "\(operation) takes \(count) pieces, its budget is \(budget)")
            }
        }

        @Test("Each piece more is counted, and a tenth more is beyond every budget")
        func beyondBudget() throws {
            let (counts, surplus) = (try counts(), 100)
            let more = try self.counts(surplus: surplus)
            for (operation, budget) in Self.budgets {
                let count = try #require(counts[operation])
                let found = try #require(more[operation]) - count
                #expect((surplus - 10...surplus + 10).contains(found), "\(operation) takes \(found) more")
                #expect(count * 11 / 10 > budget, "the budget of \(operation) is \(budget), it takes \(count)")
            }
        }
    }
#endif
