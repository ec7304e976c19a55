'use strict'
// Decisions of a person on the candidates of this page. Nothing leaves the page: what was decided is kept by
// the browser, and exported as a file or as text for `pytest-grounding review apply`.
{
  const items = JSON.parse(document.getElementById('data').textContent)
  const articles = items.map(item => document.getElementById(item.anchor))
  const byId = name => document.getElementById(name)
  const filter = byId('filter')
  const decided = new Map() // index -> {decision, reason}
  const steps = [] // each: [[index, what stood there before], ...]
  const words = [] // what the filter looks at, made at its first use
  const shownGrades = new Set()
  const BULKS = {
    n: item => item.grade === 'neutral',
    i: item => item.grade === 'improvement',
    p: item => item.grade === 'new' && item.status === 'pass',
  }
  let at = -1

  // The name of the page's own content: another page, or one over other candidates, keeps its own.
  const place = 'pytest-grounding review ' + items.map(item => item.candidate.slice(0, 12)).join('')

  function keep() {
    try {
      localStorage.setItem(place, JSON.stringify(Array.from(decided)))
    } catch {
      // A browser that keeps nothing shows the decisions until the page is closed.
    }
  }

  function remember() {
    let kept = []
    try {
      kept = JSON.parse(localStorage.getItem(place) || '[]')
    } catch {
      // Nothing was kept, or nothing may be.
    }
    if (!Array.isArray(kept)) return
    for (const entry of kept) {
      const [index, found] = Array.isArray(entry) ? entry : []
      const item = items[index]
      if (!item || item.stale || !found || !['accept', 'reject'].includes(found.decision)) continue
      decided.set(index, { decision: found.decision, reason: String(found.reason || '') })
      draw(index)
    }
  }

  function draw(index) {
    const article = articles[index]
    const found = decided.get(index)
    article.classList.toggle('d-accept', found !== undefined && found.decision === 'accept')
    article.classList.toggle('d-reject', found !== undefined && found.decision === 'reject')
    for (const button of article.querySelectorAll('button[data-verb]')) {
      button.setAttribute('aria-pressed', String(found !== undefined && found.decision === button.dataset.verb))
    }
    const reason = article.querySelector('.reason')
    if (reason) {
      reason.hidden = found === undefined || !asksWhy(index, found.decision)
      reason.value = found === undefined ? '' : found.reason
    }
  }

  // A rejection may say why; of what is accepted only a regression is asked.
  function asksWhy(index, decision) {
    return decision === 'reject' || items[index].grade === 'regression'
  }

  function set(index, value) {
    if (value === undefined) decided.delete(index)
    else decided.set(index, value)
    draw(index)
  }

  function decide(indexes, decision, reason) {
    const open = indexes.filter(index => !items[index].stale)
    if (!open.length) return
    steps.push(open.map(index => [index, decided.get(index)]))
    for (const index of open) set(index, { decision, reason })
    finish()
  }

  function finish() {
    keep()
    tell()
  }

  function one(index, decision) {
    if (index < 0 || items[index].stale) return
    go(index, false)
    const before = decided.get(index)
    if (before !== undefined && before.decision === decision) {
      // The same again takes it off.
      steps.push([[index, before]])
      set(index, undefined)
      return finish()
    }
    decide([index], decision, '')
    const reason = articles[index].querySelector('.reason')
    if (decision === 'accept' && reason && !reason.hidden) reason.focus()
    else next(index)
  }

  function bulk(key) {
    decide(members(key), 'accept', '')
    if (at >= 0 && decided.has(at)) next(at)
  }

  function members(key) {
    return items.map((item, index) => index).filter(index => {
      return BULKS[key](items[index]) && !items[index].stale && !decided.has(index) && !articles[index].hidden
    })
  }

  function undo() {
    const step = steps.pop()
    if (step === undefined) return
    for (const [index, before] of step) set(index, before)
    finish()
    articles[step[0][0]].hidden = false
    go(step[0][0], true)
  }

  function next(index) {
    const rest = items.map((item, other) => other).filter(other => {
      return !decided.has(other) && !items[other].stale && !articles[other].hidden
    })
    const found = rest.find(other => other > index)
    if (found !== undefined) go(found, true)
    else if (rest.length) go(rest[0], true)
  }

  function move(step) {
    for (let index = at + step; index >= 0 && index < items.length; index += step) {
      if (!articles[index].hidden) return go(index, true)
    }
  }

  function go(index, jump) {
    if (at >= 0) {
      articles[at].classList.remove('on')
      articles[at].removeAttribute('aria-current')
    }
    at = index
    articles[at].classList.add('on')
    articles[at].setAttribute('aria-current', 'true')
    if (!jump) return
    articles[at].focus({ preventScroll: true })
    articles[at].scrollIntoView({ block: 'start' })
  }

  function look() {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
    let number = 0
    items.forEach((item, index) => {
      if (wanted.length && words[index] === undefined) {
        const parts = Array.from(articles[index].querySelectorAll('.find'), node => node.textContent)
        words[index] = [item.id, item.golden, ...parts].join('\n').toLowerCase()
      }
      const fits = wanted.every(word => words[index].includes(word))
      const graded = shownGrades.size === 0 || shownGrades.has(item.grade)
      articles[index].hidden = !(fits && graded)
      if (!articles[index].hidden) number += 1
    })
    byId('shown').textContent = `${number} of ${items.length} shown`
    tell()
  }

  function tell() {
    byId('done').textContent = `${decided.size} of ${items.length} decided`
    for (const key of Object.keys(BULKS)) {
      const button = byId(`all-${key}`)
      const number = members(key).length
      button.disabled = number === 0
      button.querySelector('span').textContent = String(number)
    }
    byId('undo').disabled = steps.length === 0
    for (const name of ['download', 'text']) byId(name).disabled = decided.size === 0
    if (!byId('exported').hidden) byId('exported').value = exported()
  }

  function exported() {
    const found = Array.from(decided.keys()).sort((one, other) => one - other)
    const decisions = found.map(index => {
      const { id, golden, candidate, against } = items[index]
      return { id, golden, candidate, against, ...decided.get(index) }
    })
    return JSON.stringify({ schema_version: 1, decisions }, null, 2) + '\n'
  }

  function download() {
    const address = URL.createObjectURL(new Blob([exported()], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'decisions.json'
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10000)
  }

  function showText() {
    const area = byId('exported')
    area.hidden = !area.hidden
    area.value = exported()
    if (area.hidden) return
    area.focus()
    area.select()
  }

  function follow() {
    let name = location.hash.slice(1)
    try {
      name = decodeURIComponent(name)
    } catch {
      // An address that somebody cut: it leads nowhere.
    }
    const index = items.findIndex(item => item.anchor === name)
    if (index < 0) return
    if (articles[index].hidden) {
      filter.value = ''
      shownGrades.clear()
      for (const button of document.querySelectorAll('button[data-grade]')) button.setAttribute('aria-pressed', 'false')
      look()
    }
    go(index, true)
  }

  const KEYS = {
    j: () => move(1), k: () => move(-1), a: () => one(at, 'accept'), r: () => one(at, 'reject'), u: undo,
    n: () => bulk('n'), i: () => bulk('i'), p: () => bulk('p'), '/': () => filter.focus(),
  }

  document.addEventListener('keydown', event => {
    const field = event.target.closest('input, textarea')
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (field) {
      if (event.key === 'Escape' || (event.key === 'Enter' && field.tagName === 'INPUT')) {
        field.blur()
        if (event.key === 'Enter' && field.classList.contains('reason')) next(at)
      }
      return
    }
    if (!Object.hasOwn(KEYS, event.key)) return
    event.preventDefault()
    KEYS[event.key]()
  })
  articles.forEach((article, index) => {
    article.addEventListener('click', () => go(index, false))
    for (const button of article.querySelectorAll('button[data-verb]')) {
      button.addEventListener('click', event => {
        event.stopPropagation()
        one(index, button.dataset.verb)
      })
    }
    const reason = article.querySelector('.reason')
    if (reason) {
      reason.addEventListener('input', () => {
        const found = decided.get(index)
        if (found === undefined) return
        decided.set(index, { ...found, reason: reason.value })
        finish()
      })
    }
  })
  for (const button of document.querySelectorAll('button[data-grade]')) {
    button.addEventListener('click', () => {
      const { grade } = button.dataset
      if (!shownGrades.delete(grade)) shownGrades.add(grade)
      button.setAttribute('aria-pressed', String(shownGrades.has(grade)))
      look()
    })
  }
  for (const key of Object.keys(BULKS)) byId(`all-${key}`).addEventListener('click', () => bulk(key))
  filter.addEventListener('input', look)
  byId('undo').addEventListener('click', undo)
  byId('download').addEventListener('click', download)
  byId('text').addEventListener('click', showText)
  window.addEventListener('hashchange', follow)
  remember()
  look()
  if (items.length) go(0, false)
  follow()
}
