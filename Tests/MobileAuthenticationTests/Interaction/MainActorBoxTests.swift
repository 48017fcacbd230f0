import Testing

@testable import MobileAuthentication

@Suite("Objects of the application are touched on the main actor only")
struct MainActorBoxTests {
    /// As an application's class may be: changeable and not Sendable.
    private final class Counter {
        var count = 0
    }

    @Test("Tasks on all threads change one boxed object without losing a change")
    func confinement() async {
        let box = await MainActor.run { MainActorBox(Counter()) }
        await withDiscardingTaskGroup { group in
            for _ in 0..<500 {
                group.addTask { await MainActor.run { box.content.count += 1 } }
            }
        }
        #expect(await MainActor.run { box.content.count } == 500)
    }

    @Test("Tasks on all threads view one box, and every view is the same object")
    func views() async {
        let box = await MainActor.run { MainActorBox(Counter()) }
        await withDiscardingTaskGroup { group in
            for _ in 0..<500 {
                group.addTask { await Self.increment(box.viewed { $0 as AnyObject }) }
            }
        }
        #expect(await MainActor.run { box.content.count } == 500)
    }

    @MainActor
    private static func increment(_ view: MainActorBox<AnyObject>) {
        (view.content as? Counter)?.count += 1
    }
}
