/// The place of a part in a plan: its index among the parts, then within its group, and so on.
package typealias PlanPath = [Int]

extension [Plan.Part] {
    /// The paths of all parts, groups before their contents.
    var paths: [PlanPath] {
        indices.flatMap { index -> [PlanPath] in
            guard case .group(_, let inner) = self[index] else { return [[index]] }
            return [[index]] + inner.paths.map { [index] + $0 }
        }
    }

    /// The part at a path that exists.
    subscript(path: PlanPath) -> Plan.Part {
        guard path.count > 1, case .group(_, let inner) = self[path[0]] else { return self[path[0]] }
        return inner[Array<Int>(path.dropFirst())]
    }

    /// Changes the list of parts that contains a path.
    private mutating func change(_ path: PlanPath, _ body: (inout [Plan.Part], Int) -> Void) {
        guard path.count > 1, case .group(let count, var inner) = self[path[0]] else { return body(&self, path[0]) }
        inner.change(Array<Int>(path.dropFirst()), body)
        self[path[0]] = .group(count, inner)
    }

    mutating func replace(_ path: PlanPath, _ part: Plan.Part) { change(path) { $0[$1] = part } }
    mutating func insert(_ part: Plan.Part, at path: PlanPath) {
        change(path) { $0.insert(part, at: Swift.min($1, $0.count)) }
    }

    /// Removes a part, and its group if that is empty then.
    mutating func remove(_ path: PlanPath) {
        change(path) { parts, index in _ = parts.remove(at: index) }
        let parent = PlanPath(path.dropLast())
        if !parent.isEmpty, case .group(_, let inner) = self[parent], inner.isEmpty { remove(parent) }
    }
}
